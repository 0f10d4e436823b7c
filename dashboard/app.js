// The dashboard: one view at a time, chosen by the address's fragment.
import { Refused, ago, bytes, call, drawing, element, facts, when } from "/lib.js";

const byId = (id) => document.getElementById(id);

function say(text, bad = false) {
  const notice = byId("notice");
  notice.textContent = text;
  notice.classList.toggle("bad", bad);
  notice.hidden = text === "";
}

// --- overview

function chart(hours) {
  const most = Math.max(1, ...hours.map((one) => one.count));
  const bars = hours.map((one, index) => {
    const height = (one.count / most) * 56;
    const bar = drawing("rect", { x: index * 10 + 1, y: 58 - height, width: 8, height });
    bar.append(drawing("title", {}, `${when(one.hour)}: ${one.count}`));
    return bar;
  });
  const total = hours.reduce((sum, one) => sum + one.count, 0);
  return drawing("svg", {
    class: "chart", viewBox: "0 0 240 60", preserveAspectRatio: "none", role: "img",
    "aria-label": `Versions in each of the last 24 hours, ${total} in all`,
  }, drawing("line", { x1: 0, y1: 59, x2: 240, y2: 59 }), bars);
}

function figure(title, value, note) {
  return element("div", { class: "card" }, element("h3", {}, title),
    element("div", { class: "figure" }, value), note ? element("div", { class: "faint" }, note) : null);
}

function recoveryHint(overview) {
  if (!overview.session.recovery) return null;
  return element("p", { class: "notice" },
    overview.account === null
      ? "You came in with the setup token, and there is no account yet. Set up a first device."
      : "You came in with the setup token. If no device of yours is left, come back with a new one: it needs this token and your recovery words.");
}

async function showOverview() {
  const seen = await call("GET", "/v1/admin/overview");
  const account = seen.account;
  const quota = account?.quota_bytes ?? null;
  const used = account === null ? "–" : bytes(account.used_bytes);
  return [
    recoveryHint(seen),
    element("h2", {}, account === null ? "No account yet" : account.name),
    element("div", { class: "cards" },
      figure("Stored", used, quota === null ? "no quota" : `of ${bytes(quota)}`),
      figure("Files", String(seen.versions.files), `${seen.versions.total} versions kept`),
      figure("Devices", account === null ? "0" : String(account.device_count), "active or being paired")),
    element("h2", {}, "The last 24 hours"),
    element("div", { class: "card" }, chart(seen.activity.versions_per_hour),
      element("div", { class: "faint" }, "Versions per hour, counted over the newest thousand changes.")),
    element("h2", {}, "Server"),
    element("div", { class: "card" }, facts([
      ["Address", seen.public_url ?? "not configured"],
      ["Edge", seen.edge],
      ["Last collection", seen.last_gc === null ? "none yet" : when(seen.last_gc.ts)],
      ["Last check", seen.last_scrub === null ? "none yet" : when(seen.last_scrub.ts)],
    ])),
  ];
}

// --- devices

function ask(title, text, yes) {
  const dialog = byId("ask");
  byId("ask-title").textContent = title;
  byId("ask-text").textContent = text;
  byId("ask-yes").textContent = yes;
  dialog.returnValue = "no";
  return new Promise((answered) => {
    dialog.addEventListener("close", () => answered(dialog.returnValue === "yes"), { once: true });
    dialog.showModal();
    byId("ask-no").focus();
  });
}

const refusals = {
  last_device: "This is the only active device and no recovery key is registered: nobody could come back in.",
  recovery_too_new: "This is the only active device, and the recovery key is younger than seven days.",
};

async function act(path, done) {
  try {
    await call("POST", path);
    await show();
    say(done);
  } catch (refused) {
    report(refused);
  }
}

async function revoke(device) {
  const yes = await ask(`Revoke ${device.name}?`,
    "It is refused from its next request on, and its logins here end. This cannot be undone; the device can only be paired again. Files it already has stay on it.",
    "Revoke");
  if (yes) await act(`/v1/admin/devices/${device.device_id}/revoke`, `${device.name} was revoked.`);
}

const events = { sign_in: "signed in", edit: "edited", heartbeat: "was there" };

function history(device) {
  if (device.history.length === 0) return null;
  return element("details", {}, element("summary", {}, `History (${device.history.length})`),
    element("ul", {}, device.history.map((one) => element("li", {},
      `${when(one.ts)}: ${events[one.event] ?? one.event}`,
      one.address ? ` from ${one.address}${one.country ? ` (${one.country})` : ""}` : ""))));
}

function deviceCard(device) {
  const state = device.archived ? "archived" : device.state;
  return element("article", { class: "card" },
    element("div", { class: "row" }, element("h3", {}, device.name),
      element("span", { class: `badge ${state}` }, state)),
    facts([
      ["Platform", device.platform],
      ["Version", device.app_version],
      ["Last seen", ago(device.last_seen)],
      ["Last edit", ago(device.last_edit)],
      ["Address", device.address],
      ["Country", device.country],
      ["Added", when(device.created)],
      ["Id", device.device_id],
    ]),
    history(device),
    device.state === "revoked" ? null
      : element("button", { type: "button", class: "danger", click: () => revoke(device) }, "Revoke…"),
    device.state === "revoked" && !device.archived
      ? element("button", {
        type: "button",
        click: () => act(`/v1/admin/devices/${device.device_id}/archive`, `${device.name} was archived.`),
      }, "Archive")
      : null);
}

async function showDevices() {
  const { devices } = await call("GET", "/v1/admin/devices");
  const order = (one) => (one.archived ? 2 : one.state === "revoked" ? 1 : 0);
  devices.sort((a, b) => order(a) - order(b) || (b.last_seen ?? 0) - (a.last_seen ?? 0));
  return [
    element("h2", {}, "Devices"),
    devices.length === 0 ? element("p", { class: "notice" }, "No device has joined yet.")
      : element("div", { class: "cards" }, devices.map(deviceCard)),
    element("h2", {}, "Logins to this page"),
    element("div", { class: "card" },
      element("p", {}, "Ends every login of this account and every login link that was not used yet."),
      element("button", { type: "button", class: "danger", click: logoutEverywhere }, "Log out everywhere…")),
  ];
}

// --- storage

function volumeCard(volume) {
  const usable = Math.max(1, volume.bytes_total - volume.watermark_bytes);
  return element("article", { class: "card" },
    element("div", { class: "row" }, element("h3", {}, `${volume.role} (${volume.path_class})`)),
    volume.usage_unverified ? element("p", { class: "notice bad" }, "This volume could not be read.")
      : element("meter", {
        min: 0, max: volume.bytes_total, high: usable, value: volume.bytes_total - volume.bytes_free,
        "aria-label": `${volume.role}: ${bytes(volume.bytes_free)} free of ${bytes(volume.bytes_total)}`,
      }),
    ...(volume.state ? [element("p", { class: "notice bad" }, volume.state === "behind"
      ? "This mirror could not be written and lacks chunks."
      : "This mirror is being brought up to date.")] : []),
    facts([
      ["Used by obsync", bytes(volume.bytes_used)],
      ["Free", `${bytes(volume.bytes_free)} of ${bytes(volume.bytes_total)}`],
      ["Kept free", bytes(volume.watermark_bytes)],
    ]));
}

async function showStorage() {
  const storage = await call("GET", "/v1/admin/storage");
  return [
    element("h2", {}, "Volumes"),
    storage.volumes.length === 0
      ? element("p", { class: "notice" }, "Volumes are shared, so only the server's first account sees them. What you store yourself is in the overview.")
      : element("div", { class: "cards" }, storage.volumes.map(volumeCard)),
    element("h2", {}, "Upkeep"),
    element("div", { class: "card" }, facts([
      ["History kept", `${storage.retention.days} days, and the newest ${storage.retention.versions} versions of each file`],
      ["Room kept free", storage.watermark.spec],
      ["Collection", storage.gc.last === null ? "has not run yet" : when(storage.gc.last.ts)],
      ["Check of chunks", storage.scrub.last === null ? "has not run yet" : when(storage.scrub.last.ts)],
      ["Check rate", `${bytes(storage.scrub.rate_bytes_per_sec)} a second`],
    ])),
    element("h2", {}, "Quarantine"),
    storage.quarantine.length === 0 ? element("p", { class: "faint" }, "Empty: no damaged chunk was found.")
      : element("ul", {}, storage.quarantine.map((one) => element("li", {}, `${one.sid} (${when(one.ts)})`))),
  ];
}

// --- requests

function logTable(lines) {
  const heads = ["Time", "Method", "Route", "Device", "Status", "Bytes", "ms", "Decision"];
  const numbers = new Set(["Status", "Bytes", "ms"]);
  const rows = lines.map((line) => element("tr", { class: line.status >= 400 ? "bad" : null },
    element("td", {}, when(line.ts)), element("td", {}, line.method), element("td", {}, line.path_class),
    element("td", {}, (line.device ?? "–").slice(0, 8)), element("td", { class: "number" }, String(line.status)),
    element("td", { class: "number" }, String(line.bytes)),
    element("td", { class: "number" }, String(line.duration_ms)), element("td", {}, line.decision)));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Recent requests" },
    element("table", {}, element("caption", {}, "Newest first. Kept in memory only."),
      element("thead", {}, element("tr", {}, heads.map((name) =>
        element("th", { scope: "col", class: numbers.has(name) ? "number" : null }, name)))),
      element("tbody", {}, rows)));
}

let wantedDevice = "";

async function showLogs() {
  const path = `/v1/admin/logs?limit=200&device=${encodeURIComponent(wantedDevice)}`;
  const { lines } = await call("GET", path);
  const input = element("input", {
    id: "device-prefix", value: wantedDevice, maxlength: 32, pattern: "[0-9a-f]*", autocomplete: "off",
    spellcheck: "false",
  });
  const form = element("form", {
    submit: (event) => {
      event.preventDefault();
      wantedDevice = input.value.trim();
      show();
    },
  }, element("label", { for: "device-prefix" }, "Device id begins with"),
  element("div", { class: "row" }, input, element("button", { type: "submit" }, "Filter")));
  return [
    element("h2", {}, "Recent requests"), form, element("p", {}),
    lines.length === 0 ? element("p", { class: "notice" }, "Nothing to show.") : logTable(lines),
  ];
}

// --- the page

const views = { overview: showOverview, devices: showDevices, storage: showStorage, logs: showLogs };

function chosen() {
  const name = location.hash.slice(1);
  return Object.hasOwn(views, name) ? name : "overview";
}

function logged(isIn) {
  for (const id of ["sections", "session"]) byId(id).hidden = !isIn;
  byId("login").hidden = isIn;
  if (!isIn) byId("view").replaceChildren();
}

function report(problem) {
  if (problem instanceof Refused && problem.code === "no_session") {
    logged(false);
    say("");
    return;
  }
  say(refusals[problem.code] ?? (problem.message || "Something went wrong."), true);
}

let generation = 0;

async function show() {
  const name = chosen();
  const mine = ++generation;
  for (const link of document.querySelectorAll("#sections a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId("view").setAttribute("aria-busy", "true");
  try {
    const parts = await views[name]();
    if (mine !== generation) return;  // another view was chosen meanwhile
    byId("view").replaceChildren(...parts.filter((part) => part !== null));
    logged(true);
    say("");
  } catch (problem) {
    if (mine === generation) report(problem);
  } finally {
    byId("view").removeAttribute("aria-busy");
  }
}

async function logout() {
  try {
    await call("POST", "/v1/admin/logout");
    logged(false);
    say("You are logged out.");
  } catch (refused) {
    report(refused);
  }
}

async function logoutEverywhere() {
  const yes = await ask("Log out everywhere?",
    "Every browser that is logged in for this account is logged out, this one too.", "Log out everywhere");
  if (!yes) return;
  try {
    await call("POST", "/v1/admin/logout-all");
    logged(false);
    say("Everybody is logged out.");
  } catch (refused) {
    report(refused);
  }
}

byId("refresh").addEventListener("click", show);
byId("logout").addEventListener("click", logout);
addEventListener("hashchange", show);
show();
