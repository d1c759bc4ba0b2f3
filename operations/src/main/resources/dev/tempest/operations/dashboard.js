"use strict";
// Names come from the network: they become text, never markup.

const POLL_MILLIS = 2000;
const KEPT = 91; // Three minutes.
const SHOWN_MIN = 15; // Of these, so that the first ones do not fill the chart.
const RATE_MILLIS = 10_000;
const LATENCY_MILLIS = 60_000;
const CLOCK_MILLIS = 1000;
const LASTING = 5; // Answers.

const history = []; // {at, told}, the oldest first.
let answeredAt = null;

const $ = (id) => document.getElementById(id);

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== false && value !== null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null));
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Numbers in words.

const plain = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const count = (n) => (n < 100_000 ? plain.format(Math.round(n)) : short.format(n));

function rate(n) {
  return n === null ? "–" : n > 0 && n < 10 ? n.toFixed(1) : count(n);
}

function millis(ms) {
  if (ms === null) return "–";
  if (ms >= 10_000) return count(ms / 1000) + " s";
  if (ms >= 1000) return (ms / 1000).toFixed(1) + " s";
  if (ms >= 10 || ms === 0) return Math.round(ms) + " ms";
  return ms >= 1 ? ms.toFixed(1) + " ms" : Math.max(1, Math.round(ms * 1000)) + " µs";
}

function bytes(n) {
  if (n === null) return "?";
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; n >= 1024 && unit < units.length - 1; unit++) n /= 1024;
  return (unit === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)) + " " + units[unit];
}

function age(seconds) {
  if (seconds < 120) return Math.max(0, Math.round(seconds)) + " s";
  if (seconds < 7200) return Math.round(seconds / 60) + " min";
  return seconds < 172_800 ? Math.round(seconds / 3600) + " h" : Math.round(seconds / 86_400) + " d";
}

const words = (n, one, many) => n + " " + (n === 1 ? one : many);

// What was told, over time.

const answering = (told) => told.status.nodes.filter((node) => node.answers);
const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
const latest = () => history[history.length - 1];

function before(entry, ago) {
  let then = null;
  for (const each of history) {
    if (each.at <= entry.at - ago * 0.9) then = each;
  }
  return then || (history[0] !== entry ? history[0] : null);
}

/** How much a number grew a second; that of a process that began anew counts from there. */
function perSecond(entry, total) {
  const then = before(entry, RATE_MILLIS);
  return then === null ? null
      : Math.max(0, total(entry.told) - total(then.told)) * 1000 / (entry.at - then.at);
}

function services(told) {
  const byName = new Map();
  for (const node of sorted(answering(told))) {
    for (const service of node.services) {
      if (!byName.has(service.name)) byName.set(service.name, []);
      byName.get(service.name).push({ node, service });
    }
  }
  return [...byName].sort(([one], [other]) => (one < other ? -1 : 1));
}

function collections(told) {
  const byName = new Map();
  for (const node of answering(told)) {
    for (const each of node.collections) {
      const name = each.service + "\n" + each.collection;
      const most = byName.get(name);
      if (!most || most.entries < each.entries) byName.set(name, each);
    }
  }
  return [...byName.values()].sort((one, other) => other.entries - one.entries);
}

const executed = (told) => sum(services(told).map(([, replicas]) =>
  Math.max(...replicas.map(({ service }) => service.executed))));
const reads = (told) => sum(answering(told).flatMap((node) => node.services.map((s) => s.reads)));
const lag = (told) => Math.max(0, ...answering(told).flatMap((node) =>
  node.services.map((service) => service.lagMillis ?? 0)));
const entries = (told) => sum(collections(told).map((each) => each.entries));

// What is wrong.

function problems(told) {
  const found = [];
  for (const reason of told.reasons) found.push(["bad", told.node + " is not well: " + reason]);
  for (const warning of told.warnings) found.push(["warn", told.node + " says: " + warning]);
  for (const node of told.status.nodes) {
    if (!node.answers) {
      found.push(["bad", node.node + (node.speaks ? " speaks another version of the protocol"
        : " does not answer")]);
      continue;
    }
    for (const member of node.members.filter((each) => each.silent)) {
      if (told.status.nodes.some((each) => each.node === member.address && each.answers)) {
        found.push(["bad", node.node + " does not hear " + member.address]);
      }
    }
    if (Math.abs(node.clockOffsetMillis) >= CLOCK_MILLIS) {
      found.push(["warn", "the clock of " + node.node + " is " +
        millis(Math.abs(node.clockOffsetMillis)) + (node.clockOffsetMillis > 0 ? " ahead" : " behind")]);
    }
    for (const service of node.services) {
      if (service.checkpointFailing) {
        found.push(["bad", node.node + " cannot write a checkpoint of " + service.name]);
      }
      if (service.diverged > 0) {
        found.push(["warn", service.name + " came to another state at " + node.node]);
      }
    }
  }
  for (const [name, replicas] of services(told)) {
    const copies = replicas.filter(({ service }) => service.role !== "spare");
    const idle = copies.filter(({ service }) => !service.active);
    for (const { node } of idle) found.push(["bad", name + " does not serve at " + node.node]);
    for (const { node } of copies.filter((each) => !idle.includes(each))) {
      if (differs(node.node, name)) found.push(["warn", name + " differs at " + node.node]);
    }
    if (copies.some(({ service }) => service.role === "follower") &&
        !copies.some(({ service }) => service.role === "leader")) {
      found.push(["bad", "nobody leads " + name]);
    }
  }
  return found;
}

/** Under load one replica is ahead for a moment: only what lasts for a few answers is said. */
function differs(address, name) {
  const recent = history.slice(-LASTING);
  return recent.length === LASTING && recent.every(({ told }) => answering(told)
    .filter((node) => node.node === address).flatMap((node) => node.services)
    .some((service) => service.name === name && service.role !== "spare" && !service.agrees));
}

// What is shown.

function tile(title, value, unit, points) {
  const known = points.filter((point) => point !== null);
  const top = Math.max(1e-9, ...known) * 1.1;
  const line = points.map((point, i) => point === null ? null
    : (i / (points.length - 1) * 100).toFixed(2) + "," + (30 - point / top * 29).toFixed(2));
  const drawn = line.filter((each) => each !== null);
  const chart = svg("svg", { viewBox: "0 0 100 30", preserveAspectRatio: "none", "aria-hidden": "true" });
  if (drawn.length > 1) {
    const first = drawn[0].split(",")[0], last = drawn[drawn.length - 1].split(",")[0];
    chart.append(svg("path", { d: `M${first},30 L${drawn.join(" L")} L${last},30 Z` }),
      svg("polyline", { points: drawn.join(" ") }));
  }
  return h("div", { class: "tile" }, h("h2", null, title),
    h("b", null, value, unit ? h("small", null, " " + unit) : null), chart);
}

function showTiles() {
  const told = latest().told;
  const over = (value) => [...Array(Math.max(0, SHOWN_MIN - history.length)).fill(null), ...history.map(value)];
  const updating = (entry) => perSecond(entry, executed);
  const reading = (entry) => perSecond(entry, reads);
  $("tiles").replaceChildren(
    tile("Updates", rate(updating(latest())), "a second", over(updating)),
    tile("Reads of services", rate(reading(latest())), "a second", over(reading)),
    tile("Lag", millis(lag(told)), "", over((entry) => lag(entry.told))),
    tile("Entries", count(entries(told)), "", over((entry) => entries(entry.told))));
}

/** There is no room for them on a phone. */
const WIDE = new Set(["unsettled", "most"]);

function table(heads, rows, caption) {
  return h("table", null, caption || null,
    h("thead", null, h("tr", null, h("td"), heads.map((head) =>
      h("th", { scope: "col", class: WIDE.has(head) ? "wide" : null }, head)))),
    h("tbody", null, rows));
}

/** What people call a member. */
function label(node) {
  return node.answers && node.members.length > 0 && node.members[0].name || node.node;
}

const sorted = (nodes) => [...nodes].sort((one, other) =>
  one.node.localeCompare(other.node, "en", { numeric: true }));

function showMembers(told) {
  const now = Date.now();
  const rows = sorted(told.status.nodes).map((node) => {
    const called = label(node);
    const first = h("th", { scope: "row", class: "dot " + (node.answers ? "good" : "bad") },
      h("span", null, called), called === node.node ? null : h("small", null, " " + node.node),
      node.node === told.node ? h("small", { class: "self" }, "this") : null);
    if (!node.answers) {
      return h("tr", null, first, h("td", { colspan: 3, class: "bad" },
        node.speaks ? "other version" : "no answer"));
    }
    const offset = node.clockOffsetMillis;
    const off = Math.abs(offset) <= node.clockErrorMillis ? 0 : Math.abs(offset);
    return h("tr", null, first,
      h("td", null, age((now - Date.parse(node.upSince)) / 1000)),
      h("td", { class: off >= CLOCK_MILLIS ? "warn" : null },
        (off === 0 ? "" : offset > 0 ? "+" : "−") + millis(Math.round(off))),
      h("td", null, String(node.services.length)));
  });
  $("members").replaceChildren(table(["up for", "clock", "services"], rows));
}

function showServices(told) {
  $("services").replaceChildren(...services(told).map(([name, replicas]) => {
    const ordered = replicas.some(({ service }) => service.role !== "peer");
    const read = replicas.some(({ service }) => service.reads > 0);
    const rows = replicas.map(({ node, service }) => {
      const state = service.role === "spare" ? ["warn", "spare"]
        : !service.active ? ["bad", service.lagMillis === null ? "joining" : "suspended"]
        : differs(node.node, name) ? ["warn", "differs"] : ["good", "agrees"];
      return h("tr", null,
        h("th", { scope: "row", class: "dot " + state[0] }, h("span", null, label(node)),
          state[0] !== "good" ? h("small", { class: state[0] }, " " + state[1])
            : ordered ? h("small", null, " " + service.role) : null),
        h("td", null, count(service.executed)),
        h("td", { class: "wide" }, count(service.unsettled)),
        h("td", null, millis(service.lagMillis)),
        read ? h("td", null, count(service.reads)) : null);
    });
    const fine = replicas.filter(({ node, service }) => service.active && !differs(node.node, name)).length;
    const copies = replicas.filter(({ service }) => service.role !== "spare").length;
    const caption = h("caption", null, name,
      h("small", { class: fine === copies ? "good" : "warn" }, fine + " of " + copies + " agree"));
    return table(["updates", "unsettled", "lag", ...(read ? ["reads"] : [])], rows, caption);
  }));
}

/** What collections of nodes are part of, and what says so. */
const OF_NODES = { "collections": "", "linearizable collections": "linearizable " };

function showCollections(told) {
  const all = collections(told);
  const most = Math.max(1, ...all.map((each) => each.entries));
  const more = Math.max(0, ...answering(told).map((node) => node.collectionsMore));
  const rows = all.map((each) => {
    const [, kind, name] = /^(.*) '(.*)'$/.exec(each.collection) || [null, "", each.collection];
    const first = h("th", { scope: "row", class: "bar" }, name, h("small", null, " " + (OF_NODES[each.service] ?? "") + kind +
      (each.service in OF_NODES ? "" : " of " + each.service)));
    first.style.setProperty("--part", (each.entries / most * 100).toFixed(1) + "%");
    return h("tr", null, first, h("td", null, count(each.entries)), h("td", null, bytes(each.bytes)));
  });
  $("collections").replaceChildren(
    rows.length === 0 ? h("p", { class: "quiet" }, "There are no collections yet.")
      : table(["entries", "encoded"], rows),
    more > 0 ? h("p", { class: "quiet" }, words(more, "more collection has", "more collections have") + " fewer entries.") : "");
}

/** At how many milliseconds so many of all are done; within a bucket they lie evenly. */
function quantile(counts, bounds, part) {
  let left = sum(counts) * part;
  for (let i = 0; i < bounds.length; i++) {
    if (left <= counts[i]) {
      const low = i === 0 ? 0 : bounds[i - 1];
      return low + (bounds[i] - low) * (counts[i] === 0 ? 1 : left / counts[i]);
    }
    left -= counts[i];
  }
  return bounds[bounds.length - 1];
}

function bars(counts) {
  const most = Math.max(1, ...counts);
  return svg("svg", { class: "bars", viewBox: `0 0 ${counts.length * 3} 20`, preserveAspectRatio: "none", "aria-hidden": "true" },
    ...counts.map((n, i) => {
      const height = n === 0 ? 0.6 : Math.max(1.5, Math.sqrt(n / most) * 20);
      return svg("rect", { x: i * 3, y: 20 - height, width: 2.2, height });
    }));
}

const MEASURED = {
  "update": "updates", "read": "reads", "write": "writes with acks",
  "linearizable-write": "linearizable writes", "turn": "turns of the loop",
};

function showLatencies(told) {
  const vitals = told.vitals;
  if (vitals === null) return;
  const then = before(latest(), LATENCY_MILLIS);
  const past = then === null || then.told.vitals === null ? null : then.told.vitals;
  const rows = Object.entries(vitals.latencies).map(([of, counts]) => {
    const old = past === null ? null : past.latencies[of];
    const fresh = old && old.every((n, i) => n <= counts[i]) ? counts.map((n, i) => n - old[i]) : counts;
    const none = sum(fresh) === 0;
    return h("tr", null, h("th", { scope: "row" }, MEASURED[of] || of),
      h("td", null, none ? "" : bars(fresh)),
      ...[0.5, 0.99, 1].map((part) =>
        h("td", { class: part === 1 ? "wide" : null }, none ? "–"
          : (part === 1 ? "≤ " : "") + millis(quantile(fresh, told.boundsMillis, part)))));
  });
  const busy = past === null ? null
    : (vitals.loopBusyMillis - past.loopBusyMillis) / (latest().at - then.at) * 100;
  const waiting = vitals.updatesWaiting + vitals.readsWaiting;
  $("latencies").replaceChildren(table(["", "median", "99 %", "most"], rows),
    h("p", { class: "quiet" }, "The event loop was busy for " +
      (busy === null ? "–" : Math.min(100, Math.max(0, busy)).toFixed(busy < 10 ? 1 : 0)) + " % of the time, and " +
      words(waiting, "request waits.", "requests wait.")));
}

function faults(told) {
  const byKind = new Map();
  for (const node of answering(told)) {
    for (const [kind, n] of Object.entries(node.dropped)) byKind.set(kind, (byKind.get(kind) || 0) + n);
  }
  return byKind;
}

/** What callers of services got that they did not want; a method may well throw what it declares. */
function refused(told) {
  return new Map(Object.entries(told.counts.http ?? {})
    .filter(([kind, n]) => n > 0 && !/^[23]|^409$/.test(kind)));
}

const HTTP = {
  "400": "malformed", "404": "not there", "405": "other method", "408": "body too slow", "410": "key too old",
  "413": "too large", "415": "no JSON", "422": "key used before", "500": "failed", "503": "unavailable", "504": "perhaps executed",
  "too-slow": "to take the response", "gone": "before the response", "not-kept": "too many connections",
};

function grown(counts, words = {}) {
  const then = before(latest(), LATENCY_MILLIS);
  const past = then === null ? new Map() : counts(then.told);
  const rows = [...counts(latest().told)].sort(([, one], [, other]) => other - one).map(([kind, n]) => {
    const fresh = then === null ? 0 : Math.max(0, n - (past.get(kind) || 0));
    return h("tr", null, h("th", { scope: "row" }, kind.replaceAll("-", " "),
      words[kind] ? h("small", null, " " + words[kind]) : null), h("td", null, count(n)),
      h("td", { class: fresh > 0 ? "warn" : null }, fresh > 0 ? "+" + count(fresh) : "–"));
  });
  return rows.length === 0 ? null : table(["in all", "last minute"], rows);
}

function showFaults() {
  $("faults").replaceChildren(grown(faults) ?? h("p", { class: "quiet" }, "Nothing was lost or refused."));
  const http = grown(refused, HTTP);
  $("refusing").hidden = http === null;
  $("refused").replaceChildren(http ?? "");
}

function show() {
  const told = latest().told;
  const found = problems(told);
  const worst = found.some(([kind]) => kind === "bad") ? "bad" : found.length > 0 ? "warn" : "good";
  $("cluster").textContent = told.cluster;
  $("node").textContent = words(told.status.nodes.length, "member", "members") + ", seen by " + told.node;
  $("verdict").textContent = found.length === 0 ? "all well" : words(found.length, "problem", "problems");
  $("verdict").className = "pill " + worst;
  document.title = (found.length === 0 ? "" : "(" + found.length + ") ") + told.cluster + " – Tempest";
  $("problems").hidden = found.length === 0;
  $("problems").replaceChildren(...found.map(([kind, text]) =>
    h("li", { class: "dot " + kind }, h("span", null, text))));
  showTiles();
  showMembers(told);
  showServices(told);
  showCollections(told);
  showLatencies(told);
  showFaults();
}

// Asking.

async function poll() {
  try {
    const answer = await fetch("status.json", { signal: AbortSignal.timeout(10_000) });
    if (!answer.ok) throw new Error(answer.statusText);
    history.push({ at: performance.now(), told: await answer.json() });
    if (history.length > KEPT) history.shift();
    answeredAt = performance.now();
    if (getSelection().isCollapsed) show(); // Whoever copies something is not disturbed.
  } catch (failed) {
    console.warn("status.json:", failed);
  }
  tellAge();
  setTimeout(poll, POLL_MILLIS);
}

function tellAge() {
  const seconds = answeredAt === null ? null : (performance.now() - answeredAt) / 1000;
  const stale = seconds === null || seconds > 10;
  document.body.classList.toggle("stale", stale && answeredAt !== null);
  $("age").textContent = seconds === null ? "no answer yet" : stale
    ? "No answer for " + age(seconds) + ": what is shown is old." : "Live: asked every 2 seconds.";
  if (stale && answeredAt !== null) {
    $("verdict").textContent = "no answer";
    $("verdict").className = "pill bad";
  }
}

poll();
setInterval(tellAge, 1000);
