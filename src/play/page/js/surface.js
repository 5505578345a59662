/**
 * Boards that wrap, as endless pictures. Vertex (x, y) of a rectangle W by H appears in every tile
 * (i, j) of the plane, mirrored where the surface says so.
 */

/**
 * @typedef {object} Surface
 * @property {number} width
 * @property {number} height
 * @property {boolean} acrossX Tiles continue to the left and right.
 * @property {boolean} acrossY Tiles continue up and down.
 * @property {boolean} mirrorsY Tiles with odd i are upside down.
 * @property {boolean} mirrorsX Tiles with odd j are left to right.
 */

/** @typedef {{x: number, y: number, i: number, j: number}} Cell */

/** @param {number} value */
const odd = (value) => Math.abs(value) % 2 === 1;

/**
 * Returns the surface of the generators of a board: the maps to the next tile, to the right and
 * upward. A map `[a, b, c, d, e, f]` takes (x, y) to (ax + by + c, dx + ey + f). Returns `null` if
 * they are not of the kind that this module draws.
 * @param {number[][] | null | undefined} generators
 * @param {number} width
 * @param {number} height
 * @returns {Surface | null}
 */
export function surfaceOf(generators, width, height) {
  if (!generators || generators.length === 0) return null;
  /** @type {Surface} */
  const surface = {
    width,
    height,
    acrossX: false,
    acrossY: false,
    mirrorsX: false,
    mirrorsY: false,
  };
  for (const map of generators) {
    const [a, b, c, d, e, f] = map;
    if (map.length !== 6 || b !== 0 || d !== 0) return null;
    if (a === 1 && c === width && Math.abs(e) === 1 && f === (e < 0 ? height - 1 : 0)) {
      surface.acrossX = true;
      surface.mirrorsY = e < 0;
    } else if (e === 1 && f === height && Math.abs(a) === 1 && c === (a < 0 ? width - 1 : 0)) {
      surface.acrossY = true;
      surface.mirrorsX = a < 0;
    } else {
      return null;
    }
  }
  return surface;
}

/**
 * Returns the location of the copy of vertex (x, y) in tile (i, j), y upward.
 * @param {Surface} surface
 * @param {Cell} cell
 */
export function forward(surface, { x, y, i, j }) {
  const { width, height } = surface;
  return {
    x: i * width + (surface.mirrorsX && odd(j) ? width - 1 - x : x),
    y: j * height + (surface.mirrorsY && odd(i) ? height - 1 - y : y),
  };
}

/**
 * Returns the vertex and tile of a lattice location, or `null` beside a surface that does not
 * continue there.
 * @param {Surface} surface
 * @param {number} X
 * @param {number} Y
 * @returns {Cell | null}
 */
export function backward(surface, X, Y) {
  const { width, height } = surface;
  const i = Math.floor(X / width);
  const j = Math.floor(Y / height);
  if ((!surface.acrossX && i !== 0) || (!surface.acrossY && j !== 0)) return null;
  const u = X - i * width;
  const v = Y - j * height;
  return {
    x: surface.mirrorsX && odd(j) ? width - 1 - u : u,
    y: surface.mirrorsY && odd(i) ? height - 1 - v : v,
    i,
    j,
  };
}

/**
 * Returns the width and height after which the picture repeats exactly; 0 where it has an edge.
 * @param {Surface} surface
 */
export function period(surface) {
  return {
    x: surface.acrossX ? surface.width * (surface.mirrorsY ? 2 : 1) : 0,
    y: surface.acrossY ? surface.height * (surface.mirrorsX ? 2 : 1) : 0,
  };
}

/**
 * Lattice locations in a window, each with its vertex. For each vertex the copy nearest to the
 * middle of the window is the principal one.
 * @param {Surface} surface
 * @param {{left: number, right: number, low: number, high: number}} window Bounds in steps.
 * @returns {{X: number, Y: number, vertex: number, i: number, j: number, principal: boolean}[]}
 */
export function copies(surface, window) {
  const range = {
    left: surface.acrossX ? Math.ceil(window.left) : 0,
    right: surface.acrossX ? Math.floor(window.right) : surface.width - 1,
    low: surface.acrossY ? Math.ceil(window.low) : 0,
    high: surface.acrossY ? Math.floor(window.high) : surface.height - 1,
  };
  // Every vertex has an element, so the window holds at least one whole period of vertices.
  grow(range, "left", "right", surface.acrossX ? surface.width : 0);
  grow(range, "low", "high", surface.acrossY ? surface.height : 0);
  const middle = { x: (range.left + range.right) / 2, y: (range.low + range.high) / 2 };
  const found = [];
  /** @type {Map<number, {at: number, distance: number}>} */
  const nearest = new Map();
  for (let Y = range.low; Y <= range.high; Y++) {
    for (let X = range.left; X <= range.right; X++) {
      const cell = backward(surface, X, Y);
      if (!cell) continue;
      const vertex = cell.x + surface.width * cell.y;
      const distance = (X - middle.x) ** 2 + (Y - middle.y) ** 2;
      const best = nearest.get(vertex);
      if (!best || distance < best.distance - 1e-9) {
        nearest.set(vertex, { at: found.length, distance });
      }
      found.push({ X, Y, vertex, i: cell.i, j: cell.j, principal: false });
    }
  }
  if (nearest.size < surface.width * surface.height) {
    // A window across a corner of a twice mirrored surface may miss vertices.
    const [dx, dy] = [surface.acrossX ? 1 : 0, surface.acrossY ? 1 : 0];
    return copies(surface, {
      left: range.left - dx,
      right: range.right + dx,
      low: range.low - dy,
      high: range.high + dy,
    });
  }
  for (const { at } of nearest.values()) found[at].principal = true;
  return found;
}

/**
 * Widens a range of lattice lines about its middle until it has at least `least` of them.
 * @template {string} A
 * @template {string} B
 * @param {Record<A | B, number>} range
 * @param {A} low
 * @param {B} high
 * @param {number} least
 */
function grow(range, low, high, least) {
  const ranges = /** @type {Record<string, number>} */ (range);
  for (let upper = true; ranges[high] - ranges[low] + 1 < least; upper = !upper) {
    if (upper) ranges[high] += 1;
    else ranges[low] -= 1;
  }
}
