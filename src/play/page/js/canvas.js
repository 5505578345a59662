/**
 * Canvas painter for large boards: edges and stones of a scene, while the elements have no paint.
 */

import { sprite } from "./stones.js";

/** Largest ratio of canvas pixels to CSS pixels. */
const MOST_RATIO = 2;
/** Number of vertices above which edges behind the middle are left out while rotating. */
const LEAN = 2000;
/** Number of edges in one path. */
const BATCH = 64;

/** Canvas that covers the window of a board. */
export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
  }

  clear() {
    this.context?.setTransform(1, 0, 0, 1, 0, 0);
    this.context?.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /**
   * Paints a scene.
   * @param {import("./scene.js").Scene} scene
   * @param {import("./layers.js").Picture} picture
   * @param {boolean} [quick] True while the board rotates: lines are thin.
   */
  paint(scene, picture, quick = false) {
    const { context, canvas } = this;
    if (!context) return;
    const ratio = Math.min(devicePixelRatio || 1, MOST_RATIO);
    const [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    this.clear();
    const style = getComputedStyle(canvas);
    const line = style.getPropertyValue("--wood-line").trim() || "#3d2912";
    const plain = document.documentElement.dataset.theme === "paper";
    const { x, y, k } = scene.view;
    context.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
    context.strokeStyle = line;
    context.lineWidth = Math.max(0.6, Math.min(2, scene.step / 26));
    const space = /** @type {import("./space.js").SpaceScene | null} */ (
      scene.kind === "space" ? scene : null
    );
    if (space) {
      // A line of one pixel of the canvas is painted several times faster than a wider one.
      if (quick) context.lineWidth = Math.min(context.lineWidth, 1 / (ratio * k));
      if (scene.sites.length <= LEAN) {
        context.globalAlpha = 0.3;
        this.lines(space, false);
      }
      context.globalAlpha = 0.9;
      this.lines(space, true);
    } else {
      context.stroke(new Path2D(scene.lines()));
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!scene.board.rectangle && !scene.board.surface) {
      context.fillStyle = line;
      this.dots(scene, picture, ratio, (site) => site.z < 0, 0.5);
      this.dots(scene, picture, ratio, (site) => site.z >= 0, 1);
    }
    for (const site of scene.sites) this.stone(scene, picture, site, ratio, plain);
    context.globalAlpha = 1;
  }

  /**
   * Paints the edges of one half in several short paths, because the time of a path grows faster
   * than its length.
   * @param {import("./space.js").SpaceScene} scene
   * @param {boolean} front
   */
  lines(scene, front) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.context);
    let count = 0;
    context.beginPath();
    scene.eachEdge(front, (p, q) => {
      context.moveTo(p.x, p.y);
      context.lineTo(q.x, q.y);
      count += 1;
      if (count % BATCH === 0) {
        context.stroke();
        context.beginPath();
      }
    });
    context.stroke();
  }

  /**
   * Paints the empty vertices of one half as one path.
   * @param {import("./scene.js").Scene} scene
   * @param {import("./layers.js").Picture} picture
   * @param {number} ratio
   * @param {(site: import("./scene.js").Site) => boolean} belongs
   * @param {number} alpha
   */
  dots(scene, picture, ratio, belongs, alpha) {
    const context = /** @type {CanvasRenderingContext2D} */ (this.context);
    const { view } = scene;
    context.globalAlpha = alpha;
    context.beginPath();
    for (const site of scene.sites) {
      if (!belongs(site) || (picture.stones[site.vertex] ?? "empty") !== "empty") continue;
      // Squares of a few pixels look like discs, and are painted much faster.
      const half = Math.max(1, 0.24 * site.r * view.k) * ratio;
      const x = (site.x * view.k + view.x) * ratio;
      const y = (site.y * view.k + view.y) * ratio;
      context.rect(x - half, y - half, 2 * half, 2 * half);
    }
    context.fill();
  }

  /**
   * Paints the stone of a site, if there is one in the window.
   * @param {import("./scene.js").Scene} scene
   * @param {import("./layers.js").Picture} picture
   * @param {import("./scene.js").Site} site
   * @param {number} ratio
   * @param {boolean} plain
   */
  stone(scene, picture, site, ratio, plain) {
    const color = picture.stones[site.vertex] ?? "empty";
    if (color === "empty") return;
    const context = /** @type {CanvasRenderingContext2D} */ (this.context);
    const { view } = scene;
    const [x, y] = [site.x * view.k + view.x, site.y * view.k + view.y];
    const r = site.r * view.k;
    if (x < -r || y < -r || x > scene.width + r || y > scene.height + r) return;
    const depth = 0.7 + 0.3 * Math.min(1, site.z + 1);
    context.globalAlpha = site.hidden ? 0.4 : site.image ? 0.85 : depth;
    const stone = sprite(color, r * ratio, plain);
    context.drawImage(stone, x * ratio - stone.width / 2, y * ratio - stone.height / 2);
  }
}
