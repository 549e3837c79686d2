// The guesses of a room: how many there are, then which, then beside what was measured.
import { el, percent } from "./element.js";

export function waiting(each, learners) {
  return el("div", { class: "wait" }, el("p", { class: "big" },
    `${each.voting ? each.again : each.guesses} of ${learners}`), el("p", {}, each.voting
    ? "have voted again: talk with your neighbour, change your number, run the cell"
    : "have written a number down"));
}

export function histogram(each) {
  const most = Math.max(1, ...each.bars.flatMap((bar) => [bar.first, bar.second]));
  const column = (count, second) => el("span", {
    class: `${second ? "again" : ""} ${count ? "" : "none"}`,
    style: { height: percent(0.94 * count / most) } }, count ? String(count) : "");
  const drawn = el("div", { class: "histogram", role: "img", "aria-label": each.bars.map(
    (bar) => `${bar.label}: ${bar.first}`).join(", ") },
  ...each.bars.map((bar) => el("div", { class: "column" },
    el("div", { class: "bars" }, column(bar.first, false),
      each.again ? column(bar.second, true) : null),
    el("small", {}, bar.label))));
  if (each.measured) {
    const share = each.measured.at / each.bars.length;
    drawn.append(el("div", { class: share > 0.6 ? "value late" : "value",
      style: { left: percent(Math.min(share, 0.997)) } }, el("b", {}, `measured: ${each.measured.text}`)));
  }
  const key = each.again ? el("p", { class: "key" }, el("span", {}, el("i", { class: "tried" }),
    "first vote"), el("span", {}, el("i", { style: { background: "var(--second)" } }),
    "after the discussion")) : null;
  const source = each.measured ? el("p", { class: "soft" }, `Measured value: ${
    each.measured.source}.`) : null;
  return el("div", { class: "question", style: { flex: "1 1 auto" } }, key, drawn, source);
}
