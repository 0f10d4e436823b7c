"""One page of what was lived through."""

import statistics

from bench import results


def write(out, world, rests, minutes, violated):
    out.mkdir(parents=True, exist_ok=True)
    facts = results.about(world.server.binary)
    took, server, client, files = ([rest[key] for rest in rests] for key in ("took", "server", "client", "files"))
    lines = [f"# {minutes:.0f} minutes of a family, {facts['date']}, commit {facts['commit']}, seed {world.seed}", "",
             f"{facts['cores']} cores of {facts['cpu']}, Linux {facts['kernel']}; {len(world.accounts)} accounts, "
             f"{len(world.devices())} devices at the end." + ("" if world.has_volume else " No full disks: not root."), "",
             f"**{'VIOLATED: ' + violated if violated else 'Everything held at every rest.'}**", "",
             "| what | how often |", "| --- | --- |"]
    lines += [f"| {what} | {times} |" for what, times in sorted(world.counts.items())]
    lines += [f"| rests | {len(rests)} |"]
    if rests:
        lines += ["", "| at rest | median | most |", "| --- | --- | --- |",
                  f"| until all folders were equal | {statistics.median(took):.1f} s | {max(took):.1f} s |",
                  f"| server's memory | {statistics.median(server):.1f} MiB | {max(server):.1f} MiB |",
                  f"| largest client's memory | {statistics.median(client):.1f} MiB | {max(client):.1f} MiB |",
                  f"| files of all accounts | {statistics.median(files):.0f} | {max(files)} |"]
    (out / "soak.md").write_text("\n".join(lines) + "\n")
    (out / "soak.tsv").write_text("minute\ttook_s\tserver_mib\tclient_mib\tfiles\n" + "".join(
        f"{rest['minute']:.2f}\t{rest['took']:.2f}\t{rest['server']:.1f}\t{rest['client']:.1f}\t{rest['files']}\n"
        for rest in rests))
