/**
 * Pane of the game tree: branches as a picture, with names and comments.
 */

import { el, oncePerFrame, refill, svg } from "./dom.js";
import { nodeTexts } from "./node-texts.js";
import { PAINT } from "./stones.js";
import { pathTo } from "./store.js";

/** Distance between nodes in pixels. */
const STEP = { x: 26, y: 26 };
/** Maximum number of nodes that are drawn, around the current one. */
const MOST_NODES = 1500;

/** @typedef {Map<number, {column: number, row: number}>} Spots Column and row of each node. */

/**
 * Smallest used column of each row, as a tree of maxima. Finding the first row with room takes a
 * number of steps that grows with the logarithm of the number of rows.
 */
class Rows {
  /** @param {number} count Maximum number of rows. */
  constructor(count) {
    this.size = 1;
    while (this.size < count) this.size *= 2;
    this.most = new Array(2 * this.size).fill(Infinity);
  }

  /** @param {number} row @param {number} column */
  use(row, column) {
    let at = this.size + row;
    this.most[at] = Math.min(this.most[at], column);
    for (at >>= 1; at >= 1; at >>= 1) {
      this.most[at] = Math.max(this.most[2 * at], this.most[2 * at + 1]);
    }
  }

  /**
   * First row from `row` on whose smallest used column is greater than `last`.
   * @param {number} row
   * @param {number} last
   */
  free(row, last) {
    let at = this.size + Math.min(row, this.size - 1);
    // Up to the first subtree to the right with room, then down to its first row.
    while (at > 1 && this.most[at] <= last) {
      while (at > 1 && at % 2 === 1) at >>= 1;
      if (at > 1) at += 1;
    }
    while (at < this.size) at = this.most[2 * at] > last ? 2 * at : 2 * at + 1;
    return at - this.size;
  }
}

/**
 * Column and row of each node: the main line stays in its row, branches go below.
 * @param {import("./store.js").Model} model
 * @returns {Spots}
 */
export function arrange(model) {
  const spots = new Map();
  // Each branch takes at most one row more than those before.
  const rows = new Rows(model.nodes.size + 2);
  /** Branches that wait, by column. @type {{id: number, row: number}[][]} */
  const waiting = [[{ id: model.root, row: 0 }]];
  for (let column = 0; column >= 0;) {
    // Later positions are placed first, so that lines of branches do not cross.
    const next = waiting[column]?.pop();
    if (!next) {
      column -= 1;
      continue;
    }
    // The whole first line of a branch is placed before its own branches.
    const line = [next.id];
    for (;;) {
      const child = model.children.get(line[line.length - 1])?.[0];
      if (child === undefined || line.length > model.nodes.size) break;
      line.push(child);
    }
    const start = column;
    const row = rows.free(next.row, start + line.length);
    line.forEach((id, i) => spots.set(id, { column: start + i, row }));
    rows.use(row, Math.max(0, start - 1));
    line.forEach((id, i) => {
      const at = start + i + 1;
      for (const child of (model.children.get(id) ?? []).slice(1)) {
        (waiting[at] ??= []).push({ id: child, row: row + 1 });
        column = Math.max(column, at);
      }
    });
  }
  return spots;
}

/**
 * Attributes of a button whose text has an arrow.
 * @param {string} name
 * @param {string} key
 */
const branchButton = (name, key) => ({
  type: "button",
  title: `${name} (${key})`,
  "aria-label": name,
});

/**
 * Builds the pane of the tree.
 * @param {import("./session.js").Session} session
 */
export function treePane(session) {
  const box = el("div", {
    class: "scroll tree",
    tabindex: 0,
    role: "group",
    "aria-label": "Game tree",
  });
  const texts = nodeTexts(session);
  const promote = el("button", { type: "button" }, "Make main line");
  const remove = el("button", { type: "button" }, "Delete branch");
  const previous = el("button", branchButton("Previous branch", "up"), "◂ branch");
  const following = el("button", branchButton("Next branch", "down"), "branch ▸");
  /** Places of the nodes, until the tree changes. @type {Spots | null} */
  let spots = null;

  promote.addEventListener("click", () => {
    if (session.state) void session.command({ type: "promote", node: session.state.node });
  });
  remove.addEventListener("click", () => {
    if (session.state) void session.command({ type: "delete", node: session.state.node });
  });
  previous.addEventListener("click", () => branch(session, -1));
  following.addEventListener("click", () => branch(session, 1));

  const draw = () => {
    const { model, state } = session;
    if (!state) return;
    texts.show();
    const isRoot = state.node === model.root;
    promote.disabled = isRoot || !session.isOwner;
    remove.disabled = isRoot || !session.isOwner;
    const siblings = siblingsOf(session);
    previous.disabled = siblings.length < 2;
    following.disabled = siblings.length < 2;
    spots ??= arrange(model);
    const picture = drawing(session, spots);
    refill(box, [picture.element]);
    const { at } = picture;
    box.scrollLeft = at.x - box.clientWidth / 2;
    box.scrollTop = at.y - box.clientHeight / 2;
  };
  session.store.on(["tree", "board"], () => (spots = null));
  session.store.on(["state", "tree"], oncePerFrame(draw));
  return el(
    "div",
    { class: "stack" },
    box,
    el("div", { class: "row" }, previous, following, promote, remove),
    ...texts.fields,
  );
}

/**
 * Nodes beside the current one, itself included.
 * @param {import("./session.js").Session} session
 */
function siblingsOf(session) {
  const { model, state } = session;
  // The nearest move back with a choice decides, so that branches are found from inside.
  for (const node of pathTo(model, state?.node ?? -1).reverse()) {
    const list = node.parent === null ? [] : (model.children.get(node.parent) ?? []);
    if (list.length > 1) return list.map((id) => ({ id, current: id === node.id }));
  }
  return [];
}

/**
 * Goes to the previous or next branch.
 * @param {import("./session.js").Session} session
 * @param {number} by
 */
export function branch(session, by) {
  const list = siblingsOf(session);
  const at = list.findIndex((one) => one.current);
  if (at >= 0) session.goto(list[(at + by + list.length) % list.length].id);
}

/**
 * @param {import("./session.js").Session} session
 * @param {Spots} spots
 */
function drawing(session, spots) {
  const { model, state } = session;
  const current = state?.node ?? model.root;
  const here = spots.get(current) ?? { column: 0, row: 0 };
  const line = new Set(pathTo(model, current).map((node) => node.id));
  /** @type {SVGElement[]} */
  const branches = [];
  /** @type {SVGElement[]} */
  const nodes = [];
  let [columns, rows, drawn] = [0, 0, 0];
  const far = Math.ceil(MOST_NODES / 2);
  for (const [id, spot] of spots) {
    columns = Math.max(columns, spot.column);
    rows = Math.max(rows, spot.row);
    if (Math.abs(spot.column - here.column) > far || drawn >= MOST_NODES) continue;
    drawn += 1;
    const node = model.nodes.get(id);
    if (!node) continue;
    const parent = node.parent === null ? undefined : spots.get(node.parent);
    if (parent) {
      const [x, y] = [centerX(parent), centerY(parent)];
      const bend = parent.row === spot.row ? "" : `V${centerY(spot) - STEP.y / 2}`;
      const d = `M${x} ${y}${bend}L${centerX(spot)} ${centerY(spot)}`;
      branches.push(svg("path", { class: "branch", d }));
    }
    nodes.push(nodeOf(session, node, spot, id === current, line.has(id)));
  }
  const width = (columns + 1) * STEP.x + 10;
  const height = (rows + 1) * STEP.y + 8;
  const element = svg("svg", { class: "tree-svg", width, height }, ...branches, ...nodes);
  return { element, at: { x: centerX(here), y: centerY(here) } };
}

/** @param {{column: number}} spot */
const centerX = (spot) => spot.column * STEP.x + 18;
/** @param {{row: number}} spot */
const centerY = (spot) => spot.row * STEP.y + 17;

/**
 * @param {import("./session.js").Session} session
 * @param {import("./types.js").TreeNode} node
 * @param {{column: number, row: number}} spot
 * @param {boolean} current
 * @param {boolean} onLine
 */
function nodeOf(session, node, spot, current, onLine) {
  const color = node.color ?? "";
  const paint = PAINT[color];
  const words = node.vertex ? `${spot.column}: ${color} ${node.vertex}` : "Start";
  const extra = [node.name, node.comment].filter(Boolean).join(". ");
  const label = extra ? `${words}. ${extra}` : words;
  const group = svg(
    "g",
    {
      class: "node",
      role: "button",
      tabindex: -1,
      "data-node": node.id,
      "aria-label": label,
      "aria-current": current ? "true" : null,
      transform: `translate(${centerX(spot)} ${centerY(spot)})`,
    },
    svg("circle", { class: "halo", r: 12 }),
    svg("circle", {
      r: node.vertex ? 9 : 5,
      class: paint ? `chip-body chip-${color}` : "node-root",
      fill: paint ? paint[1] : null,
      opacity: onLine ? 1 : 0.75,
    }),
    svg("title", {}, label),
  );
  if (node.vertex && node.vertex !== "resign") {
    const text = node.vertex === "pass" ? "–" : String(spot.column);
    const mark = svg("text", {}, text);
    mark.setAttribute("class", `on-${color}`);
    group.append(mark);
  }
  if (node.comment || node.name) {
    group.append(svg("rect", { class: "noted", x: 5, y: -12, width: 7, height: 7 }));
  }
  group.addEventListener("click", () => session.goto(node.id));
  return group;
}
