// What every view needs: talking to the server, making elements, and words for numbers. Nothing the server
// says is ever put in as HTML: text goes in as text.

export class Refused extends Error {
  constructor(status, code, detail) {
    super(detail || code);
    this.status = status;
    this.code = code;
  }
}

function cookie(name) {
  for (const pair of document.cookie.split("; ")) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at) === name) return pair.slice(at + 1);
  }
  return "";
}

// The parsed answer, or null where there is no body. Throws Refused for everything but success.
export async function call(method, path) {
  const headers = method === "GET" ? {} : { "X-Obsync-Csrf": cookie("__Host-obsync_csrf") };
  let answer;
  try {
    answer = await fetch(path, { method, headers, credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new Refused(0, "unreachable", "The server cannot be reached.");
  }
  const text = await answer.text();
  let body = null;
  try {
    body = text === "" ? null : JSON.parse(text);
  } catch {
    throw new Refused(answer.status, "not_obsync", "What answered is not an obsync server.");
  }
  if (!answer.ok) throw new Refused(answer.status, body?.error ?? "refused", body?.detail ?? "");
  return body;
}

// element("p", {class: "faint"}, "text", otherElement): strings become text, null is left out.
export function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function drawing(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") {
      node.addEventListener(key, value);
    } else if (value === true) {
      node.setAttribute(key, "");
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(key, String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) node.append(child);
  }
  return node;
}

export function facts(pairs) {
  const list = element("dl");
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(element("dt", {}, name), element("dd", {}, value));
  }
  return list;
}

export function bytes(count) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

export function when(ms) {
  return ms === null || ms === undefined ? "never" : new Date(ms).toLocaleString();
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const steps = [["day", 86_400_000], ["hour", 3_600_000], ["minute", 60_000]];

export function ago(ms) {
  if (ms === null || ms === undefined) return "never";
  const past = ms - Date.now();
  for (const [unit, size] of steps) {
    if (Math.abs(past) >= size) return relative.format(Math.trunc(past / size), unit);
  }
  return "just now";
}
