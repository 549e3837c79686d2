// The board's page: asks for the state every two seconds and draws one of three views. Keys: 1, 2, 3
// choose a view, the left and right arrows a chapter, n shows names, t changes light and dark.
const chosen = new URLSearchParams(location.hash.slice(1)); // view, chapter, names, shown
const main = document.getElementById("main");
let state = null;

// Whatever comes from the server is set as text, never as HTML.
function el(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options)) {
    if (name === "style") Object.assign(made.style, value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

function choose(name, value) {
  if (value) chosen.set(name, value);
  else chosen.delete(name);
  history.replaceState(null, "", `#${chosen}`);
  if (name === "chapter") ask();
  else draw();
}

async function ask() {
  try {
    const query = new URLSearchParams({ chapter: chosen.get("chapter") || "" });
    const answer = await fetch(`state?${query}`);
    if (answer.status === 403) { location.reload(); return; }
    state = await answer.json();
    trouble("");
    draw();
  } catch {
    trouble("The board does not answer. What is shown may be old. Notebooks keep what they have.");
  }
}

async function remove(person) {
  if (!confirm(`Remove ${person.name}, with everything sent?`)) return;
  await fetch("remove", { method: "POST", headers: { "X-Board": "1" },
    body: JSON.stringify({ learner: person.id }) });
  ask();
}

function trouble(text) {
  const place = document.getElementById("trouble");
  place.hidden = !text;
  place.textContent = text;
}

const kind = (name) => name.replace(" ", "-");
const words = (text) => text.split(/(`[^`]+`)/).map((part) =>
  (part.startsWith("`") ? el("code", {}, part.slice(1, -1)) : part));

function exercises() {
  if (!state.exercises.length) return [el("p", {}, "This chapter has no exercises.")];
  const key = el("p", { class: "key" }, ...state.states.map((name) => el("span", {},
    el("i", { class: kind(name) }), name === "stuck" ? "stuck: three times the same" : name)));
  return [key, ...state.exercises.map((each) => {
    const bar = el("div", { class: "bar", role: "img", "aria-label": state.states.map(
      (name) => `${each.who[name].length} ${name}`).join(", ") });
    for (const name of state.states) {
      const count = each.who[name].length;
      if (count) bar.append(el("span", { class: kind(name), style: { flex: `${count} 1 0` } },
        String(count)));
    }
    const common = each.common.slice(0, 1).map((one) => el("p", { class: "common" },
      el("b", {}, `${one.count} × `), ...(one.why ? [one.text] : [el("code", {}, one.text)]),
      one.why ? el("span", { class: "soft" }, ": ", ...words(one.why)) : null));
    const who = chosen.get("names") ? state.states.slice(0, 4).filter(
      (name) => each.who[name].length).map((name) => el("p", { class: "who" },
      el("b", {}, `${name}: `), each.who[name].join(", "))) : [];
    return el("section", { class: "row" }, el("h3", {}, each.name), bar,
      el("div", {}, ...common), ...who);
  })];
}

function predictions() {
  if (!state.questions.length) return [el("p", {}, "This chapter asks for no number.")];
  return state.questions.map((each) => {
    const open = chosen.get("shown") === each.id;
    const most = Math.max(1, ...each.bars.map((bar) => bar.count));
    const drawn = open ? el("div", { class: "columns" }, ...each.bars.map((bar) => el("div", {},
      el("span", { style: { height: `${1.4 + 5 * bar.count / most}rem` } }, String(bar.count)),
      bar.label))) : null;
    const measured = open && each.measured !== null
      ? el("p", {}, `Actual: ${Number(each.measured.toPrecision(4))} (median)`) : null;
    return el("section", { class: "card" }, el("h3", {}, each.text),
      el("p", { class: "soft" }, `${each.answered} of ${state.people.length} have answered`),
      drawn, measured, el("button", { "aria-pressed": String(open),
        onclick: () => choose("shown", open ? "" : each.id) }, open ? "Hide" : "Show the answers"));
  });
}

function people() {
  if (!state.people.length) return [el("p", {}, "Nobody has joined yet.")];
  const rows = state.people.map((each, index) => el("tr", {},
    el("td", {}, chosen.get("names") ? each.name : `learner ${index + 1}`),
    el("td", {}, each.where),
    el("td", {}, `${each.done} of ${each.of}${each.stuck ? `, ${each.stuck} stuck` : ""}`),
    el("td", { class: each.silent ? "silent" : "" },
      each.silent ? `silent for ${each.minutes} min` : `${each.minutes} min ago`),
    el("td", {}, chosen.get("names")
      ? el("button", { onclick: () => remove(each), "aria-label": `Remove ${each.name}` }, "×") : "")));
  return [el("table", {}, el("tr", {}, ...["Who", "Where", "Exercises done", "Last sign", ""].map(
    (text) => el("th", {}, text))), ...rows)];
}

const VIEWS = { exercises, predictions, people };

function draw() {
  if (!state) return;
  const view = VIEWS[chosen.get("view")] ? chosen.get("view") : "exercises";
  document.getElementById("title").textContent = `${state.part.number} · ${state.part.name}`;
  document.getElementById("invitation").textContent = state.invitation;
  for (const button of document.querySelectorAll("nav button")) {
    button.setAttribute("aria-current", String(button.dataset.view === view));
  }
  document.getElementById("names").setAttribute("aria-pressed", String(!!chosen.get("names")));
  const buttons = () => [...document.querySelectorAll("#chapters button, #main button")];
  const focused = buttons().indexOf(document.activeElement);
  document.getElementById("chapters").replaceChildren(...state.parts.map((each) => el("li", {},
    el("button", { "aria-current": String(each.key === state.part.key), title: each.name,
      onclick: () => choose("chapter", each.key) }, each.number,
    el("small", {}, each.here ? `${each.here} here` : "")))));
  main.replaceChildren(...VIEWS[view]());
  if (focused >= 0) buttons()[focused]?.focus();
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem("theme", name); } catch { /* a page without storage */ }
}
let kept = null;
try { kept = localStorage.getItem("theme"); } catch { /* a page without storage */ }
theme(kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));

const turn = () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
const names = () => choose("names", chosen.get("names") ? "" : "1");
document.getElementById("theme").addEventListener("click", turn);
document.getElementById("names").addEventListener("click", names);
for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => choose("view", button.dataset.view));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !state) return;
  const view = Object.keys(VIEWS)[Number(event.key) - 1];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (view) choose("view", view);
  else if (event.key === "n") names();
  else if (event.key === "t") turn();
  else if (step) {
    const at = state.parts.findIndex((each) => each.key === state.part.key) + step;
    if (state.parts[at]) choose("chapter", state.parts[at].key);
  }
});
ask();
setInterval(ask, 2000);
