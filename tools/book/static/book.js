/* Players: pictures that follow their controls, from frames drawn beforehand.
   A frame is fetched when it is first shown. */

function control(spec, id, moved) {
  const made = (tag, properties, ...inside) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...inside);
    return element;
  };
  if (spec.kind === "slider") {
    const shown = made("output", {}, spec.values[spec.first]);
    const slider = made("input", {type: "range", min: 0, max: spec.values.length - 1,
                                  value: spec.first});
    const tell = () => {
      shown.textContent = spec.values[slider.value];
      slider.setAttribute("aria-valuetext", spec.values[slider.value]);
    };
    slider.oninput = () => { tell(); moved(+slider.value); };
    tell();
    return [made("label", {}, spec.name, slider, shown), at => { slider.value = at; tell(); }];
  }
  if (spec.kind === "tick") {
    const box = made("input", {type: "checkbox", checked: spec.first === 1});
    box.onchange = () => moved(+box.checked);
    return [made("label", {}, box, spec.name), at => { box.checked = at === 1; }];
  }
  if (spec.values.length > 5) {
    const list = made("select", {}, ...spec.values.map((value, at) => new Option(value, at)));
    list.value = spec.first;
    list.onchange = () => moved(+list.value);
    return [made("label", {}, spec.name, list), at => { list.value = at; }];
  }
  const buttons = spec.values.map((value, at) => made("input", {
    type: "radio", name: id, checked: at === spec.first, onchange: () => moved(at)}));
  const labels = buttons.map((button, at) => made("label", {}, button, spec.values[at]));
  return [made("fieldset", {}, made("legend", {}, spec.name), ...labels),
          at => { buttons[at].checked = true; }];
}

function play(element, number) {
  const data = JSON.parse(element.querySelector("script").textContent);
  const picture = [...element.closest(".cell_output").querySelectorAll("img")].pop();
  const state = data.controls.map(each => each.first);
  const set = [];
  const say = (kind) => Object.assign(document.createElement("p"), {className: kind});
  const why = say("player-note"), said = say("player-said");
  said.setAttribute("aria-live", "polite");

  const show = () => {
    const frame = data.frames[state.join(",")];
    picture.hidden = !frame.file;
    why.hidden = !!frame.file;
    why.textContent = frame.why || "";
    said.textContent = frame.alt || "";
    if (frame.file) {
      picture.src = element.dataset.frames + frame.file;
      picture.alt = frame.alt;
      picture.style.width = frame.width + "px";
    }
  };
  const box = Object.assign(document.createElement("div"), {className: "player-controls"});
  data.controls.forEach((spec, place) => {
    const [widget, put] = control(spec, `player-${number}-${place}`, at => {
      state[place] = at;
      if (!(state.join(",") in data.frames)) { /* drawn for one control at a time */
        data.controls.forEach((other, k) => {
          if (k !== place) { state[k] = other.first; set[k](other.first); }
        });
      }
      show();
    });
    set.push(put);
    box.append(widget);
  });
  const all = data.controls.reduce((product, each) => product * each.values.length, 1);
  why.hidden = true;
  picture.before(box);
  picture.after(why, said);
  if (Object.keys(data.frames).length < all) {
    const note = say("player-note");
    note.textContent = "Here one control moves at a time; in the notebook they move together.";
    picture.after(note);
  }
}

document.querySelectorAll(".player").forEach(play);

/* The theme's arrows beside the chapters have no name of their own. */
document.querySelectorAll(".bd-sidebar-primary summary").forEach(arrow => {
  const chapter = arrow.closest("li").querySelector("a").textContent;
  arrow.setAttribute("aria-label", `Lab and solution of ${chapter}`);
});

/* What scrolls on its own is reached by the keyboard too. */
function reachable() {
  document.querySelectorAll(".bd-article *").forEach(element => {
    const scrolls = /auto|scroll/.test(getComputedStyle(element).overflowX)
      && element.scrollWidth > element.clientWidth + 1;
    if (scrolls && element.tabIndex < 0) {
      element.tabIndex = 0;
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", "scrolls sideways");
    }
  });
}
addEventListener("load", reachable);
addEventListener("resize", reachable);

/* What a search finds is shown by words of the text, not of the theme's buttons. */
if (typeof Search !== "undefined") {
  const whole = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page.querySelectorAll("header, footer, nav, dialog, button, .bd-header-article, "
      + ".prev-next-footer, .bd-sidebar-secondary, .cl-replay").forEach(each => each.remove());
    return whole.call(Search, page.documentElement.outerHTML, anchor);
  };
}

/* On paper everything stands open; on the page it is folded again afterwards. */
const opened = new Set();
addEventListener("beforeprint", () => {
  document.querySelectorAll(".bd-article details:not([open])").forEach(each => {
    each.open = true;
    opened.add(each);
  });
});
addEventListener("afterprint", () => {
  opened.forEach(each => { each.open = false; });
  opened.clear();
});
