"""Signed GETs of the account: the cost of a request as such."""


def measure(run):
    server = run.fresh()
    who = server.enrol(run.load)
    got = run.run_load(server, who, "account", count=100_000 if run.full else 10_000, in_flight=16)
    run.row("signed GET /v1/account, 16 in flight", got["requests_per_s"], "requests/s", ">= 15000")
    run.end(server)
