/**
 * Plane geometry of boards: distances between vertices, bounds, cells, and keyboard directions.
 */

/** @typedef {{x: number, y: number}} Point */

/**
 * Finds the vertex that is nearest to a location. Vertices lie in square cells, and a query looks
 * only at the cells around the location.
 */
export class Index {
  /**
   * @param {ArrayLike<Point>} points
   * @param {number} [cell] Side of a cell. Without it, a cell holds about one point.
   */
  constructor(points, cell) {
    this.points = points;
    const box = bounds(points);
    const area = Math.max(box.width, 1e-9) * Math.max(box.height, 1e-9);
    const side = Math.max(box.width, box.height, 1e-9);
    const usual = Math.max(Math.sqrt(area / Math.max(points.length, 1)), side / 200);
    this.cell = Math.max(cell ?? usual, side / 1000);
    /** @type {Map<number, number[]>} */
    this.cells = new Map();
    this.reach = 0;
    for (let i = 0; i < points.length; i++) {
      const key = this.key(this.at(points[i].x), this.at(points[i].y));
      const list = this.cells.get(key);
      if (list) list.push(i);
      else this.cells.set(key, [i]);
    }
    this.box = box;
  }

  /** @param {number} value */
  at(value) {
    return Math.floor(value / this.cell);
  }

  /**
   * @param {number} column
   * @param {number} row
   */
  key(column, row) {
    return (column + 50_000_000) * 100_000_000 + row + 50_000_000;
  }

  /**
   * Returns the nearest point within `limit`, or -1.
   * @param {number} x
   * @param {number} y
   * @param {number} limit
   * @param {(index: number) => boolean} [accepts] Only points for which this is true count.
   * @returns {number}
   */
  nearest(x, y, limit, accepts) {
    let best = -1;
    let least = limit * limit;
    const [column, row] = [this.at(x), this.at(y)];
    const rings = Math.ceil(limit / this.cell) + 1;
    for (let ring = 0; ring <= rings; ring++) {
      // Cells of this ring are at least this far away.
      const gap = Math.max(ring - 1, 0) * this.cell;
      if (gap * gap > least) break;
      for (let dx = -ring; dx <= ring; dx++) {
        const inner = Math.abs(dx) !== ring;
        for (let dy = -ring; dy <= ring; dy += inner && ring > 0 ? 2 * ring : 1) {
          for (const i of this.cells.get(this.key(column + dx, row + dy)) ?? []) {
            const [ex, ey] = [this.points[i].x - x, this.points[i].y - y];
            const square = ex * ex + ey * ey;
            if (square <= least && (square < least || best < 0 || i < best)) {
              if (accepts && !accepts(i)) continue;
              least = square;
              best = i;
            }
          }
        }
      }
    }
    return best;
  }
}

/**
 * Returns the smallest rectangle around points.
 * @param {ArrayLike<Point>} points
 */
export function bounds(points) {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    const { x, y } = points[i];
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: low, width: right - left, height: high - low };
}

/**
 * Returns for each point the distance to the nearest other point. A point alone gets 1.
 * @param {Point[]} points
 * @returns {number[]}
 */
export function spacing(points) {
  if (points.length < 2) return points.map(() => 1);
  const index = new Index(points);
  const side = Math.max(index.box.width, index.box.height);
  return points.map((point, i) => {
    for (let limit = index.cell * 1.5; ; limit *= 3) {
      const found = index.nearest(point.x, point.y, limit, (j) => j !== i);
      if (found >= 0) {
        return Math.hypot(points[found].x - point.x, points[found].y - point.y);
      }
      if (limit > 3 * side) return 1;
    }
  });
}

/**
 * Returns the middle value of a list, or 1 for an empty one.
 * @param {number[]} values
 */
export function median(values) {
  if (values.length === 0) return 1;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Returns a radius for the stone of each vertex. All are alike where there is room, and no two
 * overlap.
 * @param {number[]} distances Distance from each vertex to the nearest other one.
 */
export function radii(distances) {
  const usual = 0.47 * median(distances);
  return distances.map((distance) => Math.min(usual, 0.485 * distance));
}

/** Corners of a regular polygon of radius 1 that stands for a disc. */
const CIRCLE = Array.from({ length: 24 }, (_, i) => ({
  x: Math.cos((i * Math.PI) / 12),
  y: Math.sin((i * Math.PI) / 12),
}));

/**
 * Returns the Voronoi cell of each point, cut off at a distance of `reach`.
 * @param {Point[]} points
 * @param {number} reach
 * @returns {Point[][]}
 */
export function cells(points, reach) {
  const index = new Index(points, reach);
  return points.map((point, i) => {
    let cell = CIRCLE.map(({ x, y }) => ({ x: point.x + reach * x, y: point.y + reach * y }));
    const [column, row] = [index.at(point.x), index.at(point.y)];
    for (let dx = -2; dx <= 2; dx++) {
      for (let dy = -2; dy <= 2; dy++) {
        for (const j of index.cells.get(index.key(column + dx, row + dy)) ?? []) {
          if (j !== i) cell = nearer(cell, point, points[j]);
        }
      }
    }
    return cell;
  });
}

/**
 * Cuts a convex polygon to the half plane that is nearer to `a` than to `b`.
 * @param {Point[]} polygon
 * @param {Point} a
 * @param {Point} b
 */
function nearer(polygon, a, b) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const middle = ((a.x + b.x) * dx + (a.y + b.y) * dy) / 2;
  /** @param {Point} p */
  const side = (p) => p.x * dx + p.y * dy - middle;
  /** @type {Point[]} */
  const kept = [];
  for (let k = 0; k < polygon.length; k++) {
    const [p, q] = [polygon[k], polygon[(k + 1) % polygon.length]];
    const [sp, sq] = [side(p), side(q)];
    if (sp <= 0) kept.push(p);
    if (sp * sq < 0) {
      const t = sp / (sp - sq);
      kept.push({ x: p.x + t * (q.x - p.x), y: p.y + t * (q.y - p.y) });
    }
  }
  return kept;
}

/** Maximum angle, in degrees, between an arrow key and a neighbor that it leads to. */
const NEAR_ANGLE = 30;
/** Maximum angle, in degrees, between an arrow key and any other vertex that it leads to. */
const FAR_ANGLE = 75;

/**
 * Returns the vertex to which an arrow key leads, or -1 at the edge of the board. Neighbors close
 * to the direction come first, then any vertex.
 * @param {Point[]} points Locations, y downward.
 * @param {number} from
 * @param {Point} direction Unit vector.
 * @param {number[]} neighbors
 */
export function step(points, from, direction, neighbors) {
  const near = cheapest(points, from, direction, neighbors, NEAR_ANGLE);
  if (near >= 0) return near;
  return cheapest(
    points,
    from,
    direction,
    points.map((_, i) => i),
    FAR_ANGLE,
  );
}

/**
 * @param {Point[]} points
 * @param {number} from
 * @param {Point} direction
 * @param {number[]} among
 * @param {number} most Maximum angle in degrees.
 */
function cheapest(points, from, direction, among, most) {
  let best = -1;
  let least = Infinity;
  for (const i of among) {
    const [dx, dy] = [points[i].x - points[from].x, points[i].y - points[from].y];
    const r = Math.hypot(dx, dy);
    if (i === from || r < 1e-9) continue;
    const cosine = (dx * direction.x + dy * direction.y) / r;
    const angle = (Math.acos(Math.min(1, Math.max(-1, cosine))) * 180) / Math.PI;
    const cost = r * (1 + (angle / 45) ** 2);
    if (angle <= most && cost < least - 1e-9) {
      least = cost;
      best = i;
    }
  }
  return best;
}

/**
 * Returns the neighbors of a vertex in clockwise order, from the top.
 * @param {Point[]} points Locations, y downward.
 * @param {number} from
 * @param {number[]} neighbors
 */
export function around(points, from, neighbors) {
  const { x, y } = points[from];
  /** @param {number} i */
  const angle = (i) => {
    const turn = Math.atan2(points[i].x - x, -(points[i].y - y));
    return turn < 0 ? turn + 2 * Math.PI : turn;
  };
  return [...neighbors].sort((a, b) => angle(a) - angle(b));
}

/**
 * Returns the convex hull of points, counterclockwise.
 * @param {Point[]} points
 */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  /** @param {Point[]} list */
  const half = (list) => {
    /** @type {Point[]} */
    const chain = [];
    for (const p of list) {
      while (chain.length >= 2) {
        const [a, b] = [chain[chain.length - 2], chain[chain.length - 1]];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}
