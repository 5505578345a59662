/**
 * Marks above the stones: last move, ko, dead stones, candidates, variations, ghost, and cursor.
 * They appear on every copy of a vertex.
 */

import { px, set, svg } from "./dom.js";
import { cells, hull } from "./geometry.js";
import { KO } from "./sentences.js";
import { PAINT, hasSign } from "./stones.js";

/** Distance between points, in pixels of the screen, from which discs have one line of text. */
const ONE_LINE = 14;
/** Distance from which discs have two lines. */
const TWO_LINES = 22;
/** Ownership below this share is not shown. */
const LEAST_SHARE = 0.1;

/** @typedef {import("./scene.js").Site} Site */
/** @typedef {import("./layers.js").Picture} Picture */

/**
 * Draws all marks anew.
 * @param {import("./layers.js").Layers} layers
 * @param {import("./scene.js").Scene} scene
 * @param {Picture} picture
 */
export function overlay(layers, scene, picture) {
  layers.ghost(picture);
  /** @type {Map<number, Site[]>} */
  const sites = new Map();
  for (const site of scene.sites) {
    const list = sites.get(site.vertex);
    if (list) list.push(site);
    else sites.set(site.vertex, [site]);
  }
  /** @type {SVGElement[]} */
  const marks = [];
  /** @param {number} vertex @param {(site: Site) => SVGElement | null} build */
  const each = (vertex, build) => {
    for (const site of sites.get(vertex) ?? []) {
      const mark = build(site);
      if (mark) marks.push(mark);
    }
  };
  const onPoints = scene.board.points !== null;
  if (picture.last >= 0 && !onPoints && !picture.numbers.has(picture.last)) {
    const color = picture.stones[picture.last] ?? "empty";
    const grid = scene.board.rectangle || scene.board.surface;
    // A name or sign in the middle of the stone leaves room for a ring only near its rim.
    const text = layers.text(scene.board, picture.last, picture.names);
    const named = !grid && picture.names !== "none";
    each(picture.last, (site) => {
      const full = hasSign(color) || (named && layers.fits(scene, site, text) > 0);
      const share = full ? 0.82 : 0.5;
      return ring(site, share, `last on-${color}`);
    });
  }
  for (const vertex of picture.ko) each(vertex, koSquare);
  for (const vertex of picture.dead) each(vertex, cross);
  for (const vertex of picture.locked) each(vertex, (site) => ring(site, 0.3, "locked"));
  for (const vertex of picture.chosen) each(vertex, (site) => ring(site, 0.85, "chosen"));
  shadesOnStones(picture, each);
  const step = scene.step * scene.view.k;
  for (const candidate of [...picture.candidates].reverse()) {
    each(candidate.vertex, (site) => disc(site, candidate, step));
  }
  for (const stone of picture.variation) each(stone.vertex, (site) => numbered(site, stone));
  for (const kind of /** @type {const} */ (["pending", "ghost"])) {
    const stone = picture[kind];
    if (stone) each(stone.vertex, (site) => half(site, stone.color, kind));
  }
  if (picture.hover >= 0 && onPoints) marks.push(...covered(scene, picture.hover));
  if (picture.cursor >= 0) each(picture.cursor, (site) => cursor(site));
  layers.marks.replaceChildren(...marks);
}

/** @param {Site} site @param {number} share @param {string} look */
function ring(site, share, look) {
  const r = site.r * share;
  return svg("circle", {
    cx: px(site.x),
    cy: px(site.y),
    r: px(r),
    class: `ring ${look}`,
    "stroke-width": px(Math.max(1.2, site.r * 0.1)),
  });
}

/** @param {Site} site */
function koSquare(site) {
  const half = site.r * 0.42;
  return svg(
    "rect",
    {
      x: px(site.x - half),
      y: px(site.y - half),
      width: px(2 * half),
      height: px(2 * half),
      class: "ko",
    },
    svg("title", {}, KO),
  );
}

/** @param {Site} site */
function cross(site) {
  const s = site.r * 0.5;
  const d = `M${-s} ${-s}L${s} ${s}M${s} ${-s}L${-s} ${s}`;
  const transform = `translate(${px(site.x)} ${px(site.y)})`;
  return svg(
    "g",
    { transform, class: "cross" },
    svg("path", { d, class: "cross-under", "stroke-width": px(site.r * 0.36) }),
    svg("path", { d, class: "cross-over", "stroke-width": px(site.r * 0.18) }),
  );
}

/**
 * Disc of a candidate in the shape of its class.
 * @param {Site} site
 * @param {import("./candidates.js").Candidate} candidate
 * @param {number} step
 */
function disc(site, candidate, step) {
  const r = candidate.small ? site.r * 0.35 : site.r * 0.94;
  const group = svg("g", {
    class: `candidate candidate-${candidate.rank}`,
    transform: `translate(${px(site.x)} ${px(site.y)})`,
    "data-candidate": candidate.alias,
    "data-visits": site.image ? null : candidate.count,
  });
  const box = { x: px(-r), y: px(-r), width: px(2 * r), height: px(2 * r) };
  if (candidate.rank === "best") {
    group.append(svg("circle", { r: px(r), class: "candidate-rim" }));
    group.append(svg("circle", { r: px(r), class: "shape" }));
    group.append(svg("circle", { r: px(r * 0.86), class: "candidate-double" }));
  } else if (candidate.rank === "good") {
    group.append(svg("circle", { r: px(r), class: "shape" }));
  } else if (candidate.rank === "doubtful") {
    group.append(svg("rect", { ...box, rx: px(r * 0.45), class: "shape" }));
  } else if (candidate.rank === "mistake") {
    group.append(svg("rect", { ...box, class: "shape" }));
  } else {
    const d = `M0 ${px(-r * 1.1)}L${px(r * 1.1)} 0L0 ${px(r * 1.1)}L${px(-r * 1.1)} 0Z`;
    group.append(svg("path", { d, class: "shape" }));
  }
  if (candidate.small || step < ONE_LINE) return group;
  const size = Math.min(r * 0.84, 19);
  const two = step >= TWO_LINES * 1.3;
  group.append(
    svg(
      "text",
      { class: "rate", y: px(two ? -r * 0.2 : 0), "font-size": px(size) },
      candidate.rate,
    ),
  );
  if (two) {
    group.append(
      svg(
        "text",
        { class: "visits", y: px(r * 0.5), "font-size": px(size * 0.66) },
        candidate.visits,
      ),
    );
  }
  return group;
}

/** @param {Site} site @param {{color: string, number: number}} stone */
function numbered(site, stone) {
  return svg(
    "g",
    { transform: `translate(${px(site.x)} ${px(site.y)})`, class: "variation" },
    svg("circle", { r: px(site.r * 0.96), fill: `url(#stone-${stone.color})`, class: "stone" }),
    svg(
      "text",
      { class: `number on-${stone.color}`, "font-size": px(site.r * 0.95) },
      String(stone.number),
    ),
  );
}

/** @param {Site} site @param {string} color @param {string} kind */
function half(site, color, kind) {
  return svg("circle", {
    cx: px(site.x),
    cy: px(site.y),
    r: px(site.r),
    fill: `url(#stone-${color})`,
    class: `stone ${kind}`,
  });
}

/** @param {Site} site */
function cursor(site) {
  const group = svg("g", { class: site.image ? "cursor cursor-image" : "cursor" });
  for (const [look, extra] of /** @type {const} */ ([
    ["cursor-outer", 4],
    ["cursor-inner", 2],
  ])) {
    const r = px(site.r + extra);
    group.append(svg("circle", { cx: px(site.x), cy: px(site.y), r, class: look }));
  }
  return group;
}

/**
 * Outline of the points that a placement covers.
 * @param {import("./scene.js").Scene} scene
 * @param {number} vertex
 */
function covered(scene, vertex) {
  const { points } = scene.board;
  const flat = /** @type {import("./flat.js").FlatScene} */ (scene);
  if (!points || typeof flat.screen !== "function") return [];
  const places = points.covers[vertex].map((point) => flat.screen(points.places[point]));
  const around = hull(places);
  if (around.length === 0) return [];
  const d = `M${around.map((p) => `${px(p.x)} ${px(p.y)}`).join("L")}Z`;
  const width = Math.max(18, scene.step * 0.7);
  return [svg("path", { d, class: "cover", "stroke-width": px(width) })];
}

/**
 * Small squares on the stones that their owner is expected to lose.
 * @param {Picture} picture
 * @param {(vertex: number, build: (site: Site) => SVGElement | null) => void} each
 */
function shadesOnStones(picture, each) {
  picture.shades.forEach((shade, vertex) => {
    const color = picture.stones[vertex];
    if (!shade || shade.share < 0.5 || color === "empty" || color === shade.color) return;
    each(vertex, (site) => {
      const s = site.r * 0.3;
      const [x, y] = [px(site.x - s), px(site.y - s)];
      const size = px(2 * s);
      return svg("rect", {
        x,
        y,
        width: size,
        height: size,
        fill: groundOf(shade.color),
        class: "owner",
      });
    });
  });
}

/**
 * Shades the ground around each vertex by its owner.
 * @param {import("./layers.js").Layers} layers
 * @param {import("./scene.js").Scene} scene
 * @param {Picture} picture
 */
export function shade(layers, scene, picture) {
  const { shades } = picture;
  /** @type {SVGElement[]} */
  const found = [];
  if (shades.some((one) => one && one.share >= LEAST_SHARE)) {
    const polygons = cellsOf(scene);
    scene.sites.forEach((site, i) => {
      const one = shades[site.vertex];
      if (!one || one.share < LEAST_SHARE || site.hidden) return;
      const opacity = (0.65 * one.share ** 0.7).toFixed(2);
      const look = { class: `cell cell-${one.color}`, fill: groundOf(one.color), opacity };
      const polygon = polygons?.[i];
      if (polygon && polygon.length > 2) {
        const d = `M${polygon.map((p) => `${px(p.x)} ${px(p.y)}`).join("L")}Z`;
        found.push(svg("path", { d, ...look }));
      } else {
        const r = px(site.r * 1.04);
        found.push(svg("circle", { cx: px(site.x), cy: px(site.y), r, ...look }));
      }
    });
  }
  layers.cells.replaceChildren(...found);
  set(layers.cells, "data-shown", found.length > 0 ? "true" : null);
}

/** Color of shaded ground. @param {string} color */
function groundOf(color) {
  if (color === "black") return "#000000";
  return color === "white" ? "#ffffff" : (PAINT[color]?.[1] ?? "#777777");
}

/** Cells of the sites for which they were computed last. */
const memory = {
  sites: /** @type {import("./scene.js").Site[]} */ ([]),
  polygons: /** @type {import("./geometry.js").Point[][]} */ ([]),
};

/**
 * Polygon around each site: a square on grids, else its Voronoi cell. In space there are none.
 * @param {import("./scene.js").Scene} scene
 * @returns {import("./geometry.js").Point[][] | null}
 */
function cellsOf(scene) {
  if (scene.kind === "space") return null;
  if (memory.sites === scene.sites) return memory.polygons;
  const reach = scene.step / 2;
  const grid = scene.kind === "wrap" || scene.board.rectangle !== null;
  memory.polygons = grid
    ? scene.sites.map(({ x, y }) => [
        { x: x - reach, y: y - reach },
        { x: x + reach, y: y - reach },
        { x: x + reach, y: y + reach },
        { x: x - reach, y: y + reach },
      ])
    : cells(scene.sites, scene.step * 0.75);
  memory.sites = scene.sites;
  return memory.polygons;
}
