// The board's page: what the server sends, as one of four views.
import { el, percent, words } from "./element.js";
import { histogram, waiting } from "./histogram.js";

const main = document.getElementById("main");
const chosen = new URLSearchParams(location.hash.slice(1)); // view, chapter, question, names
// A hub asks for it whenever a script reads, too.
const xsrf = document.querySelector("meta[name=xsrf]").content;
let state = null;
let stream = null;

const kind = (name) => name.replace(" ", "-");

function choose(name, value) {
  if (value) chosen.set(name, value);
  else chosen.delete(name);
  history.replaceState(null, "", `#${chosen}`);
  if (name === "chapter") connect();
  else draw();
}

async function act(what) {
  const answer = await fetch("act", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-XSRFToken": xsrf,
    },
    body: JSON.stringify(what),
  });
  if (!answer.ok) trouble((await answer.json().catch(() => ({}))).message || "That did not work.");
}

function trouble(text) {
  const place = document.getElementById("trouble");
  place.hidden = !text;
  place.textContent = text;
}

function connect() {
  if (stream) stream.close();
  const asked = new URLSearchParams({ chapter: chosen.get("chapter") || "", _xsrf: xsrf });
  stream = new EventSource(`stream?${asked}`);
  stream.onmessage = (message) => {
    state = JSON.parse(message.data);
    draw();
  };
  stream.onerror = () => {
    trouble("The board does not answer. What is shown may be old; it comes back by itself.");
    if (stream.readyState === EventSource.CLOSED) setTimeout(again, 3000);
  };
}

async function again() { // a board that was started anew may want to know who this is
  const answer = await fetch("state", { headers: { "X-XSRFToken": xsrf } }).catch(() => null);
  if (answer && (answer.status === 403 || answer.redirected)) location.reload();
  else connect();
}

// --- views

function exercises() {
  const key = el("p", { class: "key" }, ...state.states.map((name) =>
    el("span", {}, el("i", { class: kind(name) }), name === "stuck"
      ? `stuck: ${state.stuck_after} tries or more, the same mistake` : name)));
  if (!state.exercises.length) return [heading(), el("p", {}, "This chapter has no exercises.")];
  const stuck = (each) => each.who.stuck.length;
  const most = state.exercises.reduce((a, b) => (stuck(b) > stuck(a) ? b : a));
  const open = state.exercises.find((each) => each.name === chosen.get("exercise")) || most;
  return [heading(), key, el("div", { class: "rows" },
    ...state.exercises.map((each) => exercise(each, each === open)))];
}

function heading() {
  return el("h2", {}, `${state.chapter.number} · ${state.chapter.name}`);
}

function exercise(each, open) {
  const bar = el("div", { class: "bar", role: "img", "aria-label": state.states.map(
    (name) => `${each.who[name].length} ${name}`).join(", ") });
  for (const name of state.states) {
    const count = each.who[name].length;
    if (count) bar.append(el("span", { class: kind(name), style: { flex: `${count} 1 0` } },
      String(count)));
  }
  const stuck = each.who.stuck.length;
  const on = el("p", { class: "on" }, stuck ? el("b", {}, `${stuck} stuck: `) : null,
    stuck ? each.stuck_on.map((one) => `${one.name} (${one.count})`).join("; ") : null);
  const row = el("section", { class: "exercise" },
    el("h3", { title: each.task }, each.name.replaceAll("_", "_\u200b")), bar, on);
  if (chosen.get("names") && !open) {
    row.firstChild.replaceChildren(el("button", {
      title: "Who it is", onclick: () => choose("exercise", each.name),
    }, each.name.replaceAll("_", "_\u200b")));
  } else if (chosen.get("names")) {
    row.append(el("div", { class: "who" }, ...state.states.slice(0, 4)
      .filter((name) => each.who[name].length)
      .map((name) => el("p", {}, el("b", { class: `b-${kind(name)}` }, `${name}:`),
        ...each.who[name].map((who) => el("span", { title: who }, who))))));
  }
  return row;
}

function mistakes() {
  const found = state.mistakes.map((each) => el("section", { class: "card" },
    el("h3", {}, `${each.count} × ${each.name}`),
    el("p", { class: "soft" }, `${each.chapter} · ${each.exercise}`),
    el("p", { class: "room" }, ...words(each.sentence)),
    el("p", { class: "soft" }, ...words(`What learners see: ${each.shows}`)),
    el("details", {}, el("summary", {}, "What usually mends it"), ...words(each.line))));
  return [el("h2", {}, "The commonest mistakes now"), found.length
    ? el("div", { class: "mistakes" }, ...found)
    : el("p", {}, "Nobody makes a mistake that the course knows by name.")];
}

function questions() {
  if (!state.questions.length) return [heading(), el("p", {}, "This chapter asks for no number.")];
  const most = state.questions.reduce((a, b) => (b.guesses > a.guesses ? b : a));
  const shown = state.questions.find((each) => each.id === chosen.get("question")) || most;
  const list = el("ol", {}, ...state.questions.map((each) => el("li", {}, el("button", {
    "aria-current": String(each.id === shown.id), onclick: () => choose("question", each.id),
  }, `${each.text} (${each.guesses})`))));
  return [el("div", { class: "questions" }, list, question(shown))];
}

function question(each) {
  const voted = `${each.guesses} of ${state.learners} have written a number down`
    + (each.voting ? `; ${each.again} have voted again` : "");
  const send = (what) => () => act({ do: what, question: each.id });
  const acts = el("p", { class: "acts" },
    el("button", { onclick: send("revote") }, each.voting ? "Vote again is open"
      : "Discuss and vote again"),
    el("button", { onclick: send("show"), "aria-pressed": String(each.shown) },
      "Show the guesses"),
    el("button", { onclick: send("reveal"), "aria-pressed": String(each.revealed) },
      "Reveal the measured value"),
    el("button", { onclick: send("again") }, "Hide again"));
  return el("section", { class: "question" }, el("h2", {}, each.text),
    el("p", { class: "soft" }, [each.what && each.what !== each.text ? `${each.what}` : "",
      each.unit && !["×", "times"].includes(each.unit) ? `in ${each.unit}` : ""].filter(Boolean).join(" · ")),
    each.bars.length ? histogram(each) : waiting(each, state.learners),
    el("p", {}, each.bars.length ? voted : null),
    el("p", { class: "advice" }, each.advice), acts);
}

function pace() {
  const found = state.pace;
  if (!found) {
    return [el("h2", {}, "Pace"), el("p", {}, "This board was started without a plan (--plan).")];
  }
  const share = (minute) => Math.min(1, Math.max(0, minute / found.minutes));
  const mark = (minute, name, text) => el("div", {
    class: `mark ${name} ${share(minute) > 0.7 ? "late" : ""}`,
    style: { left: percent(share(minute)) } }, el("b", {}, text));
  const due = (index) => (found.minute !== null && index === found.due ? "due" : "");
  const line = el("div", { class: "line" }, ...found.blocks.map((block, index) => el("div", {
    class: `${due(index)} ${block.chapter ? "" : "rest"}`, title: block.title, style: { flex: `${block.minutes} 1 0` } },
  block.here ? String(block.here) : "")));
  if (found.minute !== null) line.append(mark(found.minute, "plan", "the plan"));
  if (found.room !== null) line.append(mark(found.room, "room", "the middle of the room"));
  const acts = el("p", { class: "acts" },
    el("button", { onclick: () => (found.minute === null
      || confirm("Start the plan anew, from its first minute?")) && act({ do: "start" }) },
    found.minute === null ? "Start the plan now" : "Start anew"),
    ...(found.minute === null ? [] : [-5, 5].map((minutes) => el("button", {
      onclick: () => act({ do: "shift", minutes }),
    }, minutes > 0 ? "Give 5 minutes more" : "Take 5 minutes off"))));
  return [el("div", { class: "pace" }, el("h2", {}, found.title),
    el("p", { class: "room" }, found.sentence), line,
    el("ol", { class: "blocks" }, ...found.blocks.map((block, index) => el("li", {
      class: `${due(index)} ${block.chapter ? "" : "rest"}` }, el("b", {}, clock(block.begins)),
    el("span", { title: block.title }, block.title), `${block.minutes} min`,
    block.here ? el("b", {}, `${block.here} here`) : null))), acts)];
}

const clock = (minute) => `${Math.floor(minute / 60)}:${
  String(Math.floor(minute % 60)).padStart(2, "0")}`;

// --- the page

const VIEWS = { exercises, mistakes, questions, pace };

function draw() {
  if (!state) return;
  const name = VIEWS[chosen.get("view")] ? chosen.get("view") : "exercises";
  trouble(state.trouble);
  document.getElementById("title").textContent = state.title;
  document.getElementById("count").textContent = `${state.learners} learner${
    state.learners === 1 ? "" : "s"}, ${state.active} active`;
  for (const button of document.querySelectorAll("nav button")) {
    button.setAttribute("aria-current", String(button.dataset.view === name));
  }
  document.getElementById("names").setAttribute("aria-pressed", String(!!chosen.get("names")));
  const focused = document.activeElement?.closest?.("#main, #chapters")
    && [...document.querySelectorAll("#main button, #main summary, #chapters button")]
      .indexOf(document.activeElement);
  const unfolded = [...main.querySelectorAll("details")].map((each) => each.open);
  const strip = name === "exercises" || name === "questions";
  document.getElementById("chapters").replaceChildren(...(strip ? state.parts.map(part) : []));
  main.replaceChildren(...VIEWS[name]());
  main.querySelectorAll("details").forEach((each, index) => { each.open = !!unfolded[index]; });
  if (typeof focused === "number" && focused >= 0) {
    document.querySelectorAll("#main button, #main summary, #chapters button")[focused]?.focus();
  }
}

function part(each) {
  return el("li", {}, el("button", {
    "aria-current": String(each.key === state.chapter.key), title: each.name,
    onclick: () => choose("chapter", each.key),
  }, each.number, el("small", {}, each.here ? `${each.here} here` : ""),
  el("span", { class: "part", style: { width: percent(each.done) } })));
}

const root = document.documentElement;
function theme(next) {
  root.dataset.theme = next;
  try { localStorage.setItem("theme", next); } catch { /* a page without storage */ }
}
let kept = null;
try { kept = localStorage.getItem("theme"); } catch { /* a page without storage */ }
root.dataset.theme = kept
  || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

const toggle = () => theme(root.dataset.theme === "dark" ? "light" : "dark");
const names = () => choose("names", chosen.get("names") ? "" : "1");
document.getElementById("theme").addEventListener("click", toggle);
document.getElementById("names").addEventListener("click", names);
document.getElementById("lesson").addEventListener("click", () => {
  if (confirm("Begin a new lesson? All that the board holds is deleted.")) act({ do: "lesson" });
});
for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => choose("view", button.dataset.view));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const view = Object.keys(VIEWS)[Number(event.key) - 1];
  if (view) choose("view", view);
  else if (event.key === "n") names();
  else if (event.key === "t") toggle();
});
connect();
