"""Every scenario is a module with `measure(run)`; its docstring is its line in the help."""

from bench.scenarios import (account, bad_link, boot, changed, chunks, client, disk, edits, history, idle, large, notes,
                             posts, resume, routes)

# In the order they run in when none is named.
ALL = {"boot": boot, "idle": idle, "notes": notes, "client": client, "large": large, "edits": edits, "chunks": chunks,
       "posts": posts, "account": account, "history": history, "routes": routes, "resume": resume, "changed": changed,
       "bad_link": bad_link, "disk": disk}
