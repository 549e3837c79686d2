// convladderReplay(poster, trace): puts the player of a trace in the place of its poster.
// trace.py describes the format. A turn is drawn from what happened up to it, so that time runs
// both ways; nothing here knows what the arrays are about.
function convladderReplay(poster, trace) {
  "use strict";
  const TOUCHES = ["read", "write", "wait", "fetch", "drop", "free"];
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  function element(tag, name, parent, text) {
    const made = document.createElement(tag);
    made.className = name;
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  }

  function numbers(runs) {  // "0:8:2,5*3" -> [0, 2, 4, 6, 5, 5, 5]
    const found = [];
    for (const run of runs ? runs.split(",") : []) {
      const [, first, stop, step, times] = /^(\d+)(?::(\d+))?(?::(\d+))?(?:\*(\d+))?$/.exec(run);
      for (let again = 0; again < (times || 1); again++)
        for (let n = +first; n < (stop === undefined ? +first + 1 : +stop); n += +(step || 1))
          found.push(n);
    }
    return found;
  }

  // --- the parts of the page -------------------------------------------------------------------

  const root = element("div", "cl-replay");
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", "Replay. " + trace.alt);
  root.setAttribute("data-lm-suppress-shortcuts", "true");  // JupyterLab's, for the same keys
  const stage = element("div", "cl-stage", root);
  const bar = element("div", "cl-bar", root);

  function button(label, text, act, name = "") {
    const made = element("button", name, bar, text);
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.onclick = act;
    return made;
  }

  const scenes = trace.scenes.map(prepared);
  const last = Math.max(...scenes.map(scene => scene.total)) - 1;
  const starts = [...new Set(scenes.flatMap(scene => scene.starts))].sort((a, b) => a - b);
  if (starts.at(-1) !== last) starts.push(last);
  let now = 0, clock = null, speed = 1, theme = {}, fresh = true;

  const play = button("Play", "▶ Play", () => clock ? stop() : start(), "cl-play");
  button("One step back", "◀", () => step(-1));
  button("One step on", "▶|", () => step(1));
  const track = element("div", "cl-track", bar), scrub = element("input", "", track);
  Object.assign(scrub, { type: "range", min: 0, max: last, value: 0 });
  scrub.setAttribute("aria-label", "Turn");
  scrub.oninput = () => { stop(); fresh = false; show(+scrub.value); };
  const count = element("span", "cl-count", bar);
  const faster = button("Speed", "1×", () => {
    speed = { 1: 2, 2: 4, 4: 0.5, 0.5: 1 }[speed];
    faster.textContent = speed === 0.5 ? "½×" : speed + "×";
    if (clock) start();
  });
  for (const scene of scenes)
    scene.steps.forEach((each, n) => {
      if (!each.event || (each.event === "barrier" && scene.events > 40)) return;
      const mark = element("span", "cl-mark cl-" + each.event, track);
      mark.style.left = 100 * scene.starts[n] / Math.max(last, 1) + "%";
    });

  function prepared(scene) {
    const box = element("div", "cl-scene", stage), starts = [];
    let total = 0;
    for (const each of scene.steps) {
      starts.push(total);
      total += each.turns || 1;
      for (const touch of TOUCHES)
        each[touch] = (each[touch] || []).map(([array, cells, lanes, values]) =>
          ({ array, cells: numbers(cells), lanes: lanes ? numbers(lanes) : null, values }));
      each.marks = (each.marks || []).map(([array, cells, label]) =>
        ({ array, cells: numbers(cells), label }));
    }
    element("div", "cl-title", box, scene.title);
    const say = element("div", "cl-say", box), canvas = element("canvas", "", box);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", scene.title + ". " + trace.alt);
    const tally = element("div", "cl-tally", box);
    const code = scene.source ? element("pre", "cl-source", box) : null;
    if (code) code.tabIndex = 0;
    const lines = (scene.source || []).map(text => element("div", "", code, text));
    if (scene.left_out) element("div", "cl-left-out", box, scene.left_out);
    const events = scene.steps.filter(each => each.event).length;
    return { ...scene, box, starts, total, say, canvas, tally, lines, code, events, at: -1 };
  }

  // --- what has happened up to a step ----------------------------------------------------------

  const READ = 1, WRITTEN = 2, NEAR = 4;

  function reach(scene, target) {  // forwards from where it is, else from the beginning
    if (target < scene.at || scene.at < 0) {
      scene.at = -1;
      scene.cells = scene.arrays.map(a => new Uint8Array(a.rows * a.cols));
      scene.values = scene.arrays.map(a => a.values ? a.values.slice() : []);
      scene.counts = {};
    }
    while (scene.at < target) {
      const { read, write, fetch, drop, free, tally } = scene.steps[++scene.at];
      for (const { array, cells } of free)
        for (const c of cells) [scene.cells[array][c], scene.values[array][c]] = [READ, ""];
      for (const { array, cells } of read) for (const c of cells) scene.cells[array][c] |= READ;
      for (const { array, cells } of fetch) for (const c of cells) scene.cells[array][c] |= NEAR;
      for (const { array, cells } of drop) for (const c of cells) scene.cells[array][c] &= ~NEAR;
      for (const { array, cells, values } of write)
        cells.forEach((c, n) => {
          scene.cells[array][c] |= WRITTEN;
          if (values) scene.values[array][c] = values[n];
        });
      Object.assign(scene.counts, tally);
    }
  }

  // --- drawing ---------------------------------------------------------------------------------

  const LANE = 14, WIRES = 58, NAME = 20, GAP = 24, EDGE = 4, ROW = 17;

  function arrange() {  // scenes side by side have their clocks and counts at one height
    scenes.forEach(layout);
    const beside = scenes[0].box.offsetTop === scenes.at(-1).box.offsetTop;
    const ratio = devicePixelRatio || 1, most = name => Math.max(...scenes.map(each => each[name]));
    for (const scene of scenes) {
      Object.assign(scene, { ratio }, beside && { rowsY: most("rowsY"), rowsHigh: most("rowsHigh") });
      const { canvas, width } = scene, height = scene.height = scene.rowsY + scene.rowsHigh;
      Object.assign(canvas, { width: width * ratio, height: height * ratio });
      canvas.style.height = height + "px";
    }
  }

  function layout(scene) {  // where everything stands, for the width that there is
    const width = scene.canvas.clientWidth || 320;
    let x = 0, y = 4, bottom = 0, left = 0, under = 0, beside = 0, before = 0;
    if (scene.lanes) {
      scene.lane = Math.min(LANE, Math.floor(width / scene.lanes));
      scene.lanesY = y + NAME - 4;
      y = bottom = scene.lanesY + scene.lane + (scene.arrays.length ? WIRES : 6);
    }
    const named = new Set(scene.steps.flatMap(each => each.marks.filter(m => m.label))
      .map(m => m.array));
    const above = new Set(scene.steps.flatMap(each => each.marks.filter((m, n) => n % 2 && m.label))
      .map(m => m.array));
    scene.places = scene.arrays.map((array, n) => {
      const crowded = array.rows * array.cols > 100;
      const most = array.values ? (crowded ? 16 : 32) : array.cols > 16 ? 14 : 20;
      const side = Math.max(3, Math.min(most, Math.floor((width - 2 * EDGE) / array.cols)));
      const high = Math.max(2, Math.min(side, Math.floor(420 / array.rows)));
      const wide = Math.max(side * array.cols, 7 * array.name.length);
      if (array.under) { x = left; y = under; }
      if (x && x + wide > width) { x = 0; y = bottom + 6; }
      const head = above.has(n) ? NAME + 16 : NAME;
      const place = { x: x + EDGE, y: y + head, side, high, head };
      left = x;
      under = place.y + high * array.rows + (array.banks ? 22 : 8) + (named.has(n) ? 14 : 0);
      x = Math.max(x + wide + GAP, array.under ? beside : 0);
      beside = x;
      bottom = Math.max(bottom, under - 4);
      if (array.under) y = before;
      before = y;
      return place;
    });
    const hidden = scene.code && scene.code.scrollHeight > scene.code.clientHeight;
    const rowsHigh = Math.max(1, (scene.rows || []).length) * ROW + 4;
    Object.assign(scene, { width, rowsY: bottom + 8, rowsHigh,
                           scrolls: hidden ? scene.code.scrollHeight : 0 });
  }

  function draw(scene) {
    const pen = scene.canvas.getContext("2d"), current = scene.steps[scene.at];
    const over = now >= scene.total, lit = scene.arrays.map(() => new Map());
    pen.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
    pen.clearRect(0, 0, scene.width, scene.height);
    for (const kind of over ? [] : ["wait", "read", "write"])
      for (const { array, cells } of current[kind]) for (const c of cells) lit[array].set(c, kind);
    scene.places.forEach((place, n) => array(pen, scene, n, place, lit[n]));
    if (scene.lanes) lanes(pen, scene, over ? null : current);
    if (!over) current.marks.forEach((each, n) => mark(pen, scene, each, n, current.event));
    time(pen, scene, over);
  }

  function text(pen, words, x, y, colour, font = "600 12px", align = "left") {
    pen.font = font + " system-ui, sans-serif";
    pen.fillStyle = colour;
    pen.textAlign = align;
    pen.fillText(words, x, y);
  }

  function array(pen, scene, n, { x, y, side, high, head }, lit) {
    const { name, rows, cols, group, banks } = scene.arrays[n], gap = side > 5 ? 1 : 0.5;
    pen.font = "600 12px system-ui, sans-serif";
    const start = Math.max(0, Math.min(x, scene.width - pen.measureText(name).width));
    text(pen, name, start, y - head + NAME - 6, theme.soft);
    pen.fillStyle = theme.cell;
    pen.fillRect(x, y, side * cols - gap, high * rows - gap);
    for (let c = 0; c < rows * cols; c++) {
      const left = x + c % cols * side, top = y + Math.floor(c / cols) * high;
      const state = scene.cells[n][c], kind = lit.get(c);
      if (state || kind) {
        pen.fillStyle = kind === "read" ? theme.read : kind === "write" ? theme.write
          : state & NEAR ? theme.near : state & WRITTEN ? theme.wasWritten
          : state & READ ? theme.wasRead : theme.cell;
        pen.fillRect(left, top, side, high);
      }
      if (kind === "wait") {
        pen.strokeStyle = theme.fault;
        pen.lineWidth = 1.5;
        pen.strokeRect(left + 0.5, top + 0.5, side - gap - 1, high - gap - 1);
      }
      const value = scene.values[n][c];
      if (value !== undefined && value !== null && value !== "" && side >= 14)
        text(pen, String(value).replace("-", "−"), left + side / 2, top + high / 2 + 4,
          kind === "read" ? theme.onRead : kind === "write" ? theme.onWrite : theme.ink,
          (side > 22 ? "13px" : "11px"), "center");
    }
    pen.strokeStyle = theme.paper;
    pen.lineWidth = gap;
    pen.beginPath();
    for (let c = 1; c <= cols; c++) {
      pen.moveTo(x + c * side - gap / 2, y);
      pen.lineTo(x + c * side - gap / 2, y + rows * high);
    }
    for (let r = 1; r <= rows; r++) {
      pen.moveTo(x, y + r * high - gap / 2);
      pen.lineTo(x + cols * side, y + r * high - gap / 2);
    }
    pen.stroke();
    if (group) {
      pen.strokeStyle = theme.edge;
      pen.lineWidth = 1;
      for (let c = 0; c < rows * cols; c += group)
        pen.strokeRect(x + c % cols * side - 0.5, y + Math.floor(c / cols) * high - 0.5,
          Math.min(group, cols - c % cols) * side, high);
    }
    if (banks)
      for (const bank of [0, 8, 16, 24, 31])
        text(pen, bank ? bank : "bank 0", x + (bank ? bank + 0.5 : 0) * side, y + rows * high + 12,
          theme.soft, "11px", bank ? "center" : "left");
  }

  function lanes(pen, scene, current) {
    const { lane: side, lanesY: y } = scene, at = n => n * side + side / 2;
    const on = new Map(), active = new Set(numbers(current && current.active));
    for (const kind of current ? ["wait", "read", "write"] : [])
      for (const touch of current[kind])
        (touch.lanes || []).forEach((lane, n) => on.set(lane, [kind, touch.array, touch.cells[n]]));
    text(pen, scene.lanes === 32 ? "a warp: 32 lanes" : scene.lanes + " lanes", 0, y - 6, theme.soft);
    for (let n = 0; n < scene.lanes; n++) {
      const kind = on.has(n) ? on.get(n)[0] : "";
      pen.fillStyle = kind === "read" ? theme.read : kind === "write" ? theme.write
        : kind !== "wait" && active.has(n) ? theme.soft : theme.cell;
      pen.fillRect(n * side, y, side - 2, side - 2);
      pen.strokeStyle = kind === "wait" ? theme.fault : theme.edge;
      pen.lineWidth = 1;
      pen.strokeRect(n * side + 0.5, y + 0.5, side - 3, side - 3);
    }
    pen.lineWidth = 1.2;
    for (const [n, [kind, array, cell]] of on) {
      if (kind === "wait") continue;
      const { x, y: top, side: wide, high } = scene.places[array], cols = scene.arrays[array].cols;
      pen.strokeStyle = kind === "read" ? theme.read : theme.write;
      pen.globalAlpha = 0.7;
      pen.beginPath();
      pen.moveTo(at(n), y + side - 2);
      pen.lineTo(x + (cell % cols + 0.5) * wide, top + Math.floor(cell / cols) * high);
      pen.stroke();
      pen.globalAlpha = 1;
    }
  }

  function mark(pen, scene, { array, cells, label }, n, event) {
    const { x, y, side, high } = scene.places[array], cols = scene.arrays[array].cols;
    const across = cells.map(c => c % cols), down = cells.map(c => Math.floor(c / cols));
    const left = x + Math.min(...across) * side - 1, top = y + Math.min(...down) * high - 1;
    const wide = (Math.max(...across) - Math.min(...across) + 1) * side + 1;
    const tall = (Math.max(...down) - Math.min(...down) + 1) * high + 1;
    const colour = event === "fault" ? theme.fault : theme.ink;
    pen.strokeStyle = colour;
    pen.lineWidth = 2.5;
    pen.strokeRect(left, top, wide, tall);
    if (!label) return;
    pen.font = "600 12px system-ui, sans-serif";
    const long = pen.measureText(label).width + 8;
    const start = Math.max(0, Math.min(left, scene.width - long));
    const base = n % 2 && top > 22 ? top - 7 : top + tall + 17;
    pen.fillStyle = theme.paper;
    pen.globalAlpha = 0.92;
    pen.fillRect(start, base - 13, long, 17);
    pen.globalAlpha = 1;
    text(pen, label, start + 4, base, colour);
  }

  function time(pen, scene, over) {  // one row each, or how far it is; both scenes on one scale
    const rows = scene.rows || [], y = scene.rowsY, until = Math.min(now + 1, scene.total);
    pen.font = "11px system-ui, sans-serif";
    const names = rows.length ? 8 + Math.max(...rows.map(name => pen.measureText(name).width)) : 0;
    const unit = (scene.width - names) / (last + 1);
    const colours = { load: theme.read, store: theme.write, compute: theme.done, wait: theme.edge,
                      barrier: theme.ink };
    rows.forEach((name, n) => {
      text(pen, name, 0, y + n * ROW + 11, theme.soft, "11px");
      pen.fillStyle = theme.cell;
      pen.fillRect(names, y + n * ROW, scene.width - names, ROW - 3);
    });
    if (!rows.length) {
      pen.fillStyle = theme.cell;
      pen.fillRect(0, y + 3, scene.width, 8);
      pen.fillStyle = over ? theme.done : theme.read;
      pen.fillRect(0, y + 3, until * unit, 8);
    }
    for (let n = 0; n <= scene.at; n++)
      for (const [row, turns, kind, label] of scene.steps[n].bars || []) {
        const from = scene.starts[n], to = Math.min(from + turns, now + 1);
        if (to <= from) continue;
        const left = names + from * unit, wide = Math.max(1, (to - from) * unit - 1);
        pen.fillStyle = colours[kind];
        pen.fillRect(left, y + row * ROW, wide, ROW - 3);
        pen.font = "11px system-ui, sans-serif";
        if (label && pen.measureText(label).width + 6 < wide)
          text(pen, label, left + 3, y + row * ROW + 11, theme.paper, "11px");
      }
  }

  function show(turn) {
    now = Math.max(0, Math.min(last, turn));
    scrub.value = now;
    scrub.setAttribute("aria-valuetext", `turn ${now + 1} of ${last + 1}`);
    count.textContent = `${now + 1} / ${last + 1}`;
    for (const scene of scenes) {
      const at = scene.starts.findLastIndex(first => first <= now);
      reach(scene, at);
      draw(scene);
      const current = scene.steps[at], over = now >= scene.total;
      const said = over ? `Done after ${scene.total.toLocaleString("en")} turns.` : current.say || "";
      if (scene.say.textContent !== said) scene.say.textContent = said;
      scene.say.className = "cl-say" + (!over && current.event === "fault" ? " cl-fault" : "");
      const told = Object.entries(scene.counts);
      while (scene.tally.children.length < told.length)
        element("span", "", scene.tally).append(element("b", ""), document.createTextNode(""));
      told.forEach(([name, value], n) => {
        const [number, words] = scene.tally.children[n].childNodes;
        number.textContent = typeof value === "number" ? value.toLocaleString("en") : value;
        words.textContent = " " + name;
      });
      [...scene.tally.children].slice(told.length).forEach(extra => extra.remove());
      scene.lines.forEach((line, n) => line.classList.toggle("cl-here", n + 1 === current.line));
      if (scene.scrolls && current.line) {  // asked at each turn, the page would be laid out anew
        const top = (current.line - 0.5) / scene.lines.length * scene.scrolls - 140;
        scene.code.scrollTop = Math.max(0, top);
      }
    }
  }

  // --- time ------------------------------------------------------------------------------------

  function step(way) {
    stop();
    fresh = false;
    const next = way > 0 ? starts.find(at => at > now) : starts.findLast(at => at < now);
    show(next === undefined ? now : next);
  }

  function stop() {
    cancelAnimationFrame(clock);
    clock = null;
    play.textContent = "▶ Play";
    play.setAttribute("aria-label", "Play");
  }

  function start() {
    cancelAnimationFrame(clock);
    const fault = scenes.some(({ starts, steps }) =>
      steps.some((each, n) => each.event === "fault" && starts[n] > now));
    const again = now === last || fresh && !fault;  // it opened in the middle of a run
    const from = again ? 0 : now, begun = performance.now();
    fresh = false;
    const stride = still.matches ? Math.ceil((last + 1) / 40) : 1;  // few, slow changes
    const pace = (still.matches ? Math.max(700, trace.pace || 300) : trace.pace || 300) / speed;
    play.textContent = "❚❚ Pause";
    play.setAttribute("aria-label", "Pause");
    const tick = time => {
      const turn = from + stride * Math.floor(Math.max(0, time - begun) / pace);
      if (turn !== now || turn === from) show(turn);
      if (now === last || !root.isConnected) stop(); else clock = requestAnimationFrame(tick);
    };
    clock = requestAnimationFrame(tick);
  }

  root.onkeydown = pressed => {
    if (pressed.target === scrub && pressed.key !== " ") return;
    if (pressed.target.tagName === "BUTTON" && pressed.key === " ") return;
    const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), " ": () => play.click(),
                  Home: () => show(0), End: () => show(last) }[pressed.key];
    if (!act) return;
    act();
    pressed.preventDefault();
    pressed.stopPropagation();
  };

  // --- light or dark, as what it stands on -----------------------------------------------------

  function recolour() {
    let below = root.parentElement, colour = null;
    for (; below && !colour; below = below.parentElement) {
      const found = (getComputedStyle(below).backgroundColor.match(/[\d.]+/g) || []).map(Number);
      if (found.length === 3 || found[3] > 0.5) colour = found;
    }
    const bright = colour ? 0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2] : 255;
    root.classList.toggle("cl-dark", bright < 128);
    const style = getComputedStyle(root), name = { wasRead: "was-read", wasWritten: "was-written",
      onRead: "on-read", onWrite: "on-write" };
    for (const each of ["ink", "soft", "cell", "edge", "paper", "read", "write", "fault", "done",
                        "near", "wasRead", "wasWritten", "onRead", "onWrite"])
      theme[each] = style.getPropertyValue("--" + (name[each] || each)).trim();
    scenes.forEach(scene => scene.at >= 0 && draw(scene));
  }

  poster.replaceWith(root);
  arrange();
  recolour();
  show(Math.min(trace.poster || 0, last));
  let wide = 0;
  new ResizeObserver(() => {
    if (root.clientWidth === wide) return;
    wide = root.clientWidth;
    arrange();
    scenes.forEach(draw);
  }).observe(root);
  const watch = new MutationObserver(recolour);
  for (const each of [document.documentElement, document.body])
    watch.observe(each, { attributes: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  root.replay = { show, scenes, last, get now() { return now; } };
  return root;
}
