"""Notes of 2 KiB in the shape of today's plugin, a PUT and a post each, and in batches."""


def measure(run):
    count = 10_000 if run.full else 500
    for in_flight in (1, 4, 16):
        server = run.fresh()
        who = server.enrol(run.load)
        before = server.stat()
        got = run.run_load(server, who, "notes", count=count, in_flight=in_flight)
        after = server.stat()
        goal = ">= 1500" if in_flight == 4 else ""
        run.row(f"notes, PUT and post each, {in_flight} in flight", got["notes_per_s"], "notes/s", goal)
        if in_flight == 4:
            scale = 10_000 / count
            run.row("server CPU for 10,000 of them", (after["cpu_s"] - before["cpu_s"]) * scale, "s", "<= 2.5")
            run.row("RSS after them", after["rss_mib"], "MiB", "<= 20")
            run.row("written to disk a note", (after["written_mib"] - before["written_mib"]) * 1024 / count, "KiB")
        run.end(server)
    server = run.fresh()
    who = server.enrol(run.load)
    before = server.stat()
    got = run.run_load(server, who, "batches", count=count, in_flight=2)
    after = server.stat()
    run.row("notes in batches of 200", got["notes_per_s"], "notes/s")
    run.row("server CPU for 10,000 of them, batched", (after["cpu_s"] - before["cpu_s"]) * 10_000 / count, "s",
            "<= 1.0")
    server.stop()
    run.row("disk for the notes / plaintext", server.disk_mib() / (count * 2 / 1024), "", "<= 1.4")
    run.end(server)
