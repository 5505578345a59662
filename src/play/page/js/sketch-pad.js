/**
 * Editor for graphs drawn by hand: a click adds a vertex, a drag between vertices adds an edge.
 */

import { el, px, svg } from "./dom.js";
import { Sketch } from "./sketch.js";

/** Pixels of one step of the grid, which has length 1 in the spec. */
const GRID = 44;
/** Radius of a vertex in pixels. */
const RADIUS = 13;
/** Distance in pixels within which a pointer is on a vertex. */
const REACH = 18;

/**
 * @param {(spec: string) => void} changed Called with the spec after each change.
 */
export function sketchPad(changed) {
  const sketch = new Sketch();
  const root = svg("svg", {
    class: "pad-board",
    role: "application",
    tabindex: 0,
    "aria-label": "Drawing of a graph",
    "aria-describedby": "sketch-help",
  });
  const snap = el("input", { type: "checkbox", checked: true, id: "sketch-snap" });
  const name = el("input", { type: "text", id: "sketch-name", disabled: true, maxlength: 30 });
  const error = el("p", { class: "error", role: "status" });
  /** @type {{mode: "join" | "new", from: number, x: number, y: number} | null} */
  let action = null;
  let chosen = -1;
  let joinFrom = -1;
  const aim = { x: 2, y: 2 };
  let keys = false;

  const height = () => root.clientHeight || 352;
  /** @param {{x: number, y: number}} dot */
  const screen = (dot) => ({ x: (dot.x + 1) * GRID, y: height() - (dot.y + 1) * GRID });
  /** @param {PointerEvent} event */
  const at = (event) => {
    const box = root.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  /** @param {{x: number, y: number}} p */
  const place = (p) => {
    const raw = { x: p.x / GRID - 1, y: (height() - p.y) / GRID - 1 };
    const unit = snap.checked ? 2 : 20;
    return { x: Math.round(raw.x * unit) / unit, y: Math.round(raw.y * unit) / unit };
  };
  /** @param {{x: number, y: number}} p */
  const hit = (p) => {
    let [best, least] = [-1, REACH];
    sketch.now.dots.forEach((dot, i) => {
      const s = screen(dot);
      const distance = Math.hypot(s.x - p.x, s.y - p.y);
      if (distance <= least) [best, least] = [i, distance];
    });
    return best;
  };

  const draw = () => {
    const parts = [];
    const [width, h] = [root.clientWidth || 500, height()];
    for (let x = GRID; x < width; x += GRID)
      parts.push(svg("path", { class: "grid", d: `M${x} 0V${h}` }));
    for (let y = h - GRID; y > 0; y -= GRID) {
      parts.push(svg("path", { class: "grid", d: `M0 ${y}H${width}` }));
    }
    for (const [a, b] of sketch.now.edges) {
      const [p, q] = [screen(sketch.now.dots[a]), screen(sketch.now.dots[b])];
      parts.push(svg("path", { class: "link", d: `M${px(p.x)} ${px(p.y)}L${px(q.x)} ${px(q.y)}` }));
    }
    if (action?.mode === "join") {
      const p = screen(sketch.now.dots[action.from]);
      parts.push(
        svg("path", {
          class: "new-link",
          d: `M${px(p.x)} ${px(p.y)}L${px(action.x)} ${px(action.y)}`,
        }),
      );
    }
    sketch.now.dots.forEach((dot, i) => {
      const p = screen(dot);
      const look = i === chosen || i === joinFrom ? "true" : null;
      parts.push(
        svg("circle", {
          class: "dot",
          cx: px(p.x),
          cy: px(p.y),
          r: RADIUS,
          "data-chosen": look,
          "data-sketch": dot.name,
        }),
        svg("text", { x: px(p.x), y: px(p.y) }, dot.name.slice(0, 4)),
      );
    });
    if (keys) {
      const p = screen(aim);
      parts.push(
        svg("circle", { class: "new-link", cx: px(p.x), cy: px(p.y), r: 17, fill: "none" }),
      );
    }
    root.replaceChildren(...parts);
    name.disabled = chosen < 0;
    name.value = chosen < 0 ? "" : sketch.now.dots[chosen].name;
  };
  const update = () => {
    if (chosen >= sketch.now.dots.length) chosen = -1;
    draw();
    changed(sketch.now.dots.length > 0 ? sketch.spec() : "");
  };

  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    keys = false;
    const p = at(event);
    const found = hit(p);
    root.setPointerCapture(event.pointerId);
    action = found >= 0 ? { mode: "join", from: found, ...p } : { mode: "new", from: -1, ...p };
  });
  root.addEventListener("pointermove", (event) => {
    if (action?.mode !== "join") return;
    Object.assign(action, at(event));
    draw();
  });
  root.addEventListener("pointerup", (event) => {
    const p = at(event);
    const found = hit(p);
    const done = action;
    action = null;
    if (!done) return;
    if (done.mode === "join" && found >= 0 && found !== done.from) {
      sketch.join(done.from, found);
    } else if (done.mode === "join") {
      chosen = chosen === done.from ? -1 : done.from;
    } else if (found < 0 && Math.hypot(p.x - done.x, p.y - done.y) < 10) {
      const spot = place(p);
      sketch.add(spot.x, spot.y);
      chosen = -1;
    }
    update();
  });

  const removeChosen = () => {
    if (chosen < 0) return;
    sketch.remove(chosen);
    chosen = -1;
    update();
  };
  root.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
      event.key
    ];
    const step = snap.checked ? 0.5 : 0.25;
    const under = hit(screen(aim));
    if (by) {
      aim.x += by[0] * step;
      aim.y += by[1] * step;
    } else if (event.key === "Enter" || event.key === " ") {
      if (under < 0) sketch.add(aim.x, aim.y);
      else chosen = chosen === under ? -1 : under;
    } else if (event.key.toLowerCase() === "e" && under >= 0) {
      if (joinFrom >= 0 && joinFrom !== under) {
        sketch.join(joinFrom, under);
        joinFrom = -1;
      } else {
        joinFrom = joinFrom === under ? -1 : under;
      }
    } else if (event.key === "Delete" || event.key === "Backspace") {
      removeChosen();
    } else if (event.ctrlKey && event.key.toLowerCase() === "z") {
      sketch.undo();
    } else if (event.ctrlKey && event.key.toLowerCase() === "y") {
      sketch.redo();
    } else {
      return;
    }
    keys = true;
    event.preventDefault();
    event.stopPropagation();
    update();
  });
  name.addEventListener("change", () => {
    if (chosen < 0) return;
    error.textContent = sketch.rename(chosen, name.value.trim());
    update();
  });
  new ResizeObserver(draw).observe(root);

  /** @param {string} text @param {() => void} act */
  const button = (text, act) =>
    el("button", { type: "button", click: () => (act(), update()) }, text);
  return el(
    "div",
    { class: "stack" },
    el(
      "p",
      { class: "note", id: "sketch-help" },
      "Click to add a vertex. Drag from one to another to join or separate them. Click a vertex to " +
        "choose it. By keyboard: arrows, Enter adds or chooses, E joins, Delete removes.",
    ),
    root,
    el(
      "div",
      { class: "row" },
      button("Undo", () => sketch.undo()),
      button("Redo", () => sketch.redo()),
      button("Delete vertex", removeChosen),
      button("Clear", () => sketch.clear()),
      el("label", { class: "check" }, snap, "Snap to grid"),
    ),
    el("label", { class: "field" }, el("span", {}, "Name of the chosen vertex"), name),
    error,
  );
}
