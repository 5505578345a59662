/**
 * Layers of the drawn board: edges, one element for each vertex, copies, and names. Only attributes
 * that differ are changed.
 */

import { px, set, svg } from "./dom.js";
import { radii, spacing } from "./geometry.js";
import { KO } from "./sentences.js";
import { gradients, sign } from "./stones.js";

/** Number of vertices above which a canvas paints stones at rest. */
export const BARE = 2000;
/** Smallest font size in pixels of the screen. Smaller names are hidden. */
const LEAST_FONT = 9;
/** Width in pixels of the ground behind the rulers at the edge of the window. */
const STRIP = 22;

/**
 * Changing part of a picture.
 * @typedef {object} Picture
 * @property {string[]} stones Color of each vertex, or `empty`.
 * @property {string[] | null} points Color of each point of a go-space.
 * @property {string} legal
 * @property {number} last
 * @property {Set<number>} covered Points of the last move on a go-space.
 * @property {Set<number>} ko
 * @property {Set<number>} dead
 * @property {Set<number>} locked
 * @property {{vertex: number, color: string} | null} ghost
 * @property {{vertex: number, color: string} | null} pending
 * @property {import("./candidates.js").Candidate[]} candidates
 * @property {{vertex: number, color: string, number: number}[]} variation
 * @property {({color: string, share: number} | null)[]} shades
 * @property {Map<number, number>} numbers
 * @property {number[]} chosen Vertices that an answer names.
 * @property {number} cursor
 * @property {number} hover
 * @property {"alias" | "label" | "index" | "none"} names
 */

/** SVG groups of a board, back to front. */
export class Layers {
  /** @param {SVGSVGElement} root */
  constructor(root) {
    this.root = root;
    /** @param {string} name */
    const group = (name) => svg("g", { class: name, "aria-hidden": "true" });
    this.cells = group("cells");
    this.outline = svg("path", { class: "outline", "aria-hidden": "true" });
    this.arrows = svg("path", { class: "arrows", "aria-hidden": "true" });
    this.back = svg("path", { class: "edges edges-back", "aria-hidden": "true" });
    this.backDots = svg("path", { class: "dots dots-back", "aria-hidden": "true" });
    this.behind = svg("g", { class: "vertices-behind" });
    this.body = svg("circle", { class: "body", r: 0, "aria-hidden": "true" });
    this.edges = svg("path", { class: "edges", "aria-hidden": "true" });
    this.dots = svg("path", { class: "dots", "aria-hidden": "true" });
    this.points = group("points");
    this.vertices = svg("g", { class: "vertices" });
    this.signs = group("signs");
    this.names = group("names");
    this.marks = group("marks");
    this.world = svg(
      "g",
      { class: "world" },
      this.cells,
      this.outline,
      this.arrows,
      this.back,
      this.backDots,
      this.behind,
      this.body,
      this.edges,
      this.points,
      this.dots,
      this.vertices,
      this.signs,
      this.names,
      this.marks,
    );
    this.rulers = group("rulers");
    root.replaceChildren(svg("defs", {}, ...gradients()), this.world, this.rulers);
    /** @type {Map<string, SVGCircleElement>} */
    this.elements = new Map();
    /** Look of each element when it was painted last. @type {WeakMap<Element, string>} */
    this.looks = new WeakMap();
    /** Element that has `data-ghost`. @type {SVGCircleElement | null} */
    this.ghosted = null;
  }

  /** Forgets all elements, for another board. */
  clear() {
    for (const layer of [this.cells, this.behind, this.vertices, this.signs, this.names]) {
      layer.replaceChildren();
    }
    this.points.replaceChildren();
    this.marks.replaceChildren();
    this.rulers.replaceChildren();
    this.elements.clear();
    this.looks = new WeakMap();
    this.ghosted = null;
  }

  /**
   * Puts the elements of all sites in their places, in the order of the sites.
   * @param {import("./scene.js").Scene} scene
   * @param {Picture} picture
   */
  place(scene, picture) {
    const { board } = scene;
    const focused = /** @type {SVGElement | null} */ (document.activeElement);
    const hadFocus = focused && this.world.contains(focused);
    const stale = new Set(this.elements.keys());
    /** @type {SVGCircleElement[]} */
    const front = [];
    /** @type {SVGCircleElement[]} */
    const behind = [];
    for (const site of scene.sites) {
      stale.delete(site.key);
      let element = this.elements.get(site.key);
      if (!element) {
        element = site.image ? this.image(board, site.vertex) : this.vertex(board, site.vertex);
        this.elements.set(site.key, element);
      }
      set(element, "cx", px(site.x));
      set(element, "cy", px(site.y));
      set(element, "r", px(site.r));
      set(element, "data-tile", site.tile === "" ? null : site.tile);
      set(element, "data-hidden", site.hidden ? "true" : null);
      set(element, "data-faded", site.faded ? "true" : null);
      if (board.solid && scene.kind === "space") {
        const [x, y, z] = board.solid[site.vertex];
        set(element, "data-x", String(x));
        set(element, "data-y", String(y));
        set(element, "data-z", String(z));
      }
      (site.hidden ? behind : front).push(element);
    }
    for (const key of stale) {
      this.elements.get(key)?.remove();
      this.elements.delete(key);
    }
    order(this.behind, behind);
    order(this.vertices, front);
    if (hadFocus && document.activeElement !== focused) focused.focus({ preventScroll: true });
    placePoints(this.points, scene);
    this.paint(scene, picture);
    this.draw(scene, picture);
  }

  /**
   * Draws everything that depends on places but not on stones.
   * @param {import("./scene.js").Scene} scene
   * @param {Picture} picture
   */
  draw(scene, picture) {
    set(this.edges, "d", scene.lines());
    set(this.outline, "d", scene.outline());
    set(this.arrows, "d", scene.arrows());
    const space = /** @type {import("./space.js").SpaceScene | null} */ (
      scene.kind === "space" ? scene : null
    );
    set(this.back, "d", space ? space.backLines() : "");
    set(this.body, "r", space?.body ? px(space.scale * 0.985) : "0");
    set(this.body, "cx", px(scene.width / 2));
    set(this.body, "cy", px(scene.height / 2));
    set(this.dots, "d", this.dotPath(scene, picture, false));
    set(this.backDots, "d", this.dotPath(scene, picture, true));
    const width = Math.max(0.6, Math.min(2, scene.step / 26));
    this.world.style.setProperty("--line", `${width}px`);
    for (const [name, value] of Object.entries(scene.attributes())) set(this.root, name, value);
    if (!("data-q" in scene.attributes())) this.root.removeAttribute("data-q");
    this.transform(scene, picture);
  }

  /**
   * Applies pan and zoom. Names and rulers depend on the size on the screen.
   * @param {import("./scene.js").Scene} scene
   * @param {Picture} picture
   */
  transform(scene, picture) {
    const { x, y, k } = scene.view;
    set(this.world, "transform", `translate(${px(x)} ${px(y)}) scale(${k.toFixed(4)})`);
    this.name(scene, picture);
    const shown = picture.names === "alias" || picture.names === "label";
    const rulers = shown ? scene.rulers() : [];
    const step = scene.step * k;
    const font = Math.min(15, Math.max(LEAST_FONT + 1, step * 0.36));
    const letters = Math.max(0, ...rulers.map(({ text }) => text.length));
    const room = font * Math.max(1.15, 0.75 * letters + 0.3);
    const every = step < room ? Math.ceil(room / Math.max(step, 1)) : 1;
    const texts = rulers
      .filter((_, i) => every === 1 || Math.floor(i / 2) % every === 0)
      .filter(({ x, y }) => x > 0 && x < scene.width && y > 0 && y < scene.height)
      .map((ruler) =>
        svg("text", { x: px(ruler.x), y: px(ruler.y), "font-size": px(font) }, ruler.text),
      );
    // Strips keep the letters apart from stones and figures that reach the edge of the window.
    const strips = scene.crossed(rulers).map((side) => strip(scene, side));
    this.rulers.replaceChildren(...strips, ...texts);
  }

  /**
   * Small discs on the vertices, or only on star points where lines show the vertices.
   * @param {import("./scene.js").Scene} scene
   * @param {Picture} picture
   * @param {boolean} hidden True for the vertices behind the body of a solid.
   */
  dotPath(scene, picture, hidden) {
    const { board } = scene;
    const grid = board.rectangle !== null || board.surface !== null;
    const named = !grid && picture.names !== "none";
    const heaviest = Math.max(1e-9, ...(board.weights ?? []).map(Math.abs));
    const parts = [];
    for (const site of scene.sites) {
      if ((site.hidden || site.faded === true) !== hidden) continue;
      const star = board.stars.has(site.vertex);
      if (grid && !star) continue;
      // On a go-space a dot is a placement, and an illegal one is of no use.
      if (board.points && picture.legal[site.vertex] !== "1") continue;
      const shown =
        named && !hidden && this.fits(scene, site, this.text(board, site.vertex, picture.names));
      let r = site.r * (grid ? 0.17 : shown ? 0.78 : 0.26);
      if (board.weights) {
        r = site.r * (0.25 + 0.55 * Math.sqrt(Math.abs(board.weights[site.vertex]) / heaviest));
      }
      r = Math.max(r, 1.6);
      parts.push(
        `M${px(site.x - r)} ${px(site.y)}a${px(r)} ${px(r)} 0 1 0 ${px(2 * r)} 0` +
          `a${px(r)} ${px(r)} 0 1 0 ${px(-2 * r)} 0`,
      );
    }
    set(this.dots, "class", grid ? "dots dots-star" : "dots");
    return parts.join("");
  }

  /**
   * Shows the stones of a position.
   * @param {import("./scene.js").Scene} scene
   * @param {Picture} picture
   */
  paint(scene, picture) {
    const { board } = scene;
    const signs = [];
    const pad = board.points !== null;
    const signed = !pad && board.places.length <= BARE;
    for (const site of scene.sites) {
      const { vertex } = site;
      const color = picture.stones[vertex] ?? "empty";
      if (signed && color !== "empty" && !site.hidden && !site.faded) {
        const mark = sign(color, site.x, site.y, site.r);
        if (mark) signs.push(mark);
      }
      const element = this.elements.get(site.key);
      const look = this.look(picture, vertex);
      if (!element || this.looks.get(element) === look) continue;
      this.looks.set(element, look);
      set(element, "data-stone", color);
      const paint = site.image ? `url(#image-${color})` : `url(#stone-${color})`;
      set(element, "fill", color === "empty" || pad ? "transparent" : paint);
      set(element, "data-dead", picture.dead.has(vertex) ? "true" : null);
      if (!site.image) this.speak(board, picture, vertex, element);
    }
    this.signs.replaceChildren(...signs);
    if (picture.points) {
      paintPoints(this.points, picture);
      set(this.dots, "d", this.dotPath(scene, picture, false));
    }
  }

  /**
   * Everything that the attributes of a vertex depend on, as a text. Comparing it is much faster
   * than reading attributes.
   * @param {Picture} picture
   * @param {number} vertex
   */
  look(picture, vertex) {
    const pending = picture.pending?.vertex === vertex ? picture.pending.color : "";
    const flags =
      (picture.last === vertex ? 1 : 0) +
      (picture.cursor === vertex ? 2 : 0) +
      (picture.dead.has(vertex) ? 4 : 0) +
      (picture.ko.has(vertex) ? 8 : 0);
    return `${picture.stones[vertex]} ${picture.legal[vertex]} ${flags} ${pending}`;
  }

  /**
   * Sets the attributes of a vertex that scripts and screen readers read.
   * @param {import("./types.js").Board} board
   * @param {Picture} picture
   * @param {number} vertex
   * @param {SVGCircleElement} element
   */
  speak(board, picture, vertex, element) {
    set(element, "data-legal", picture.legal[vertex] === "1" ? "true" : "false");
    set(element, "data-last", picture.last === vertex ? "true" : null);
    set(element, "data-pending", picture.pending?.vertex === vertex ? picture.pending.color : null);
    set(element, "tabindex", picture.cursor === vertex ? "0" : "-1");
    const alias = board.aliases[vertex];
    const label = board.labels[vertex];
    const words = [label && label !== alias ? `${alias} (${label})` : alias];
    words.push(picture.stones[vertex] ?? "empty");
    if (picture.last === vertex) words.push("last move");
    if (picture.ko.has(vertex)) words.push(KO);
    if (picture.dead.has(vertex)) words.push("marked dead");
    if (board.points) {
      words.push(
        `covers ${board.points.covers[vertex].map((p) => board.points?.labels[p]).join(" ")}`,
      );
    }
    if (board.weights) words.push(`weight ${board.weights[vertex]}`);
    set(element, "aria-label", words.join(", "));
  }

  /**
   * Names the color of the ghost stone at its vertex. A pointer moves the ghost without a change of
   * the stones.
   * @param {Picture} picture
   */
  ghost({ ghost }) {
    const element = ghost ? this.of(ghost.vertex) : null;
    if (this.ghosted && this.ghosted !== element) set(this.ghosted, "data-ghost", null);
    if (ghost && element) set(element, "data-ghost", ghost.color);
    this.ghosted = element;
  }

  /**
   * @param {import("./types.js").Board} board
   * @param {number} vertex
   */
  vertex(board, vertex) {
    return svg("circle", {
      "data-vertex": board.aliases[vertex],
      class: board.points ? "vertex pad" : "vertex",
      role: "button",
      tabindex: -1,
    });
  }

  /**
   * @param {import("./types.js").Board} board
   * @param {number} vertex
   */
  image(board, vertex) {
    return svg("circle", {
      "data-image": board.aliases[vertex],
      class: "vertex image",
      "aria-hidden": "true",
    });
  }

  /**
   * Name of a vertex in a mode.
   * @param {import("./types.js").Board} board
   * @param {number} vertex
   * @param {string} mode
   */
  text(board, vertex, mode) {
    if (mode === "index") return String(vertex);
    if (mode === "label") return board.labels[vertex] ?? board.aliases[vertex];
    return board.aliases[vertex];
  }

  /**
   * Returns the font size of a name in its disc, or 0 if it would be too small to read. Lattices in
   * space have no names, because points lie above each other.
   * @param {import("./scene.js").Scene} scene
   * @param {import("./scene.js").Site} site
   * @param {string} text
   */
  fits(scene, site, text) {
    if (scene.crowded) return 0;
    const size = Math.min(0.84 * site.r, (2.5 * site.r) / Math.max(text.length, 2), 18);
    return size * scene.view.k >= LEAST_FONT ? size : 0;
  }

  /**
   * Writes names on the vertices where there is room.
   * @param {import("./scene.js").Scene} scene
   * @param {Picture} picture
   */
  name(scene, picture) {
    const { board } = scene;
    const texts = [];
    const taken = new Set(picture.candidates.map((candidate) => candidate.vertex));
    for (const { vertex } of picture.variation) taken.add(vertex);
    const grid = (board.rectangle || board.surface) && picture.names !== "index";
    for (const site of scene.sites) {
      if (site.hidden || site.faded) continue;
      const number = picture.numbers.get(site.vertex);
      if (taken.has(site.vertex)) continue;
      const named = picture.names !== "none" && !grid;
      if (number === undefined && !named) continue;
      const text =
        number !== undefined ? String(number) : this.text(board, site.vertex, picture.names);
      const size = this.fits(scene, site, text);
      if (size === 0 || (board.points && picture.legal[site.vertex] !== "1")) continue;
      const color = picture.stones[site.vertex] ?? "empty";
      const look = number !== undefined ? "name number" : "name";
      texts.push(
        svg(
          "text",
          { x: px(site.x), y: px(site.y), "font-size": px(size), class: `${look} on-${color}` },
          text,
        ),
      );
    }
    this.names.replaceChildren(...texts);
  }

  /**
   * Element of a vertex.
   * @param {number} vertex
   */
  of(vertex) {
    return this.elements.get(`v${vertex}`) ?? null;
  }
}

/**
 * Ground behind the names of columns or rows at one side of the window.
 * @param {import("./scene.js").Scene} scene
 * @param {import("./scene.js").Side} side
 */
function strip({ width, height }, side) {
  const upright = side === "left" || side === "right";
  return svg("rect", {
    class: "strip",
    x: px(side === "right" ? width - STRIP : 0),
    y: px(side === "bottom" ? height - STRIP : 0),
    width: px(upright ? STRIP : width),
    height: px(upright ? height : STRIP),
  });
}

/**
 * Brings the children of a group into an order, and moves none if they are in it already.
 * @param {SVGGElement} group
 * @param {SVGCircleElement[]} elements
 */
function order(group, elements) {
  let at = group.firstElementChild;
  for (const element of elements) {
    if (element === at) at = at.nextElementSibling;
    else group.insertBefore(element, at);
  }
}

/**
 * Puts the points of a go-space in their places: stones lie on them.
 * @param {SVGGElement} group
 * @param {import("./scene.js").Scene} scene
 */
function placePoints(group, scene) {
  const { points } = scene.board;
  const flat = /** @type {import("./flat.js").FlatScene} */ (scene);
  if (!points || typeof flat.screen !== "function") return;
  const sizes = radii(spacing(points.places));
  points.places.forEach((place, i) => {
    let element = group.children[i];
    if (!element) {
      element = svg("circle", { "data-point": points.labels[i], class: "point" });
      group.append(element);
    }
    const at = flat.screen(place);
    set(element, "cx", px(at.x));
    set(element, "cy", px(at.y));
    set(element, "r", px(sizes[i] * flat.scale));
  });
}

/**
 * Shows the stones on the points of a go-space.
 * @param {SVGGElement} group
 * @param {Picture} picture
 */
function paintPoints(group, picture) {
  picture.points?.forEach((color, i) => {
    const element = group.children[i];
    if (!element) return;
    set(element, "data-stone", color);
    set(element, "fill", color === "empty" ? null : `url(#stone-${color})`);
    set(element, "data-last", picture.covered.has(i) ? "true" : null);
  });
}
