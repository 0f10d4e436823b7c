"""Every scenario is a module with `measure(run)`; its docstring is its line in the help."""

from bench.scenarios import account, boot, chunks, client, edits, history, idle, notes, posts, routes

# In the order they run in when none is named.
ALL = {"boot": boot, "idle": idle, "notes": notes, "client": client, "edits": edits, "chunks": chunks,
       "posts": posts, "account": account, "history": history, "routes": routes}
