/**
 * Looks of the stones. Every color from the third on has a sign, so color is never the only one.
 */

import { el, svg } from "./dom.js";
import { COLORS } from "./store.js";

/** Highlight, body, shade, and text of each color. */
export const PAINT = /** @type {Record<string, [string, string, string, string]>} */ ({
  black: ["#6b6b6b", "#262626", "#070707", "#ffffff"],
  white: ["#ffffff", "#f4f2ee", "#c9c4ba", "#1a1a1a"],
  red: ["#f08a7c", "#c8372d", "#8a1a14", "#ffffff"],
  blue: ["#86b4f0", "#2f6bc4", "#173f82", "#ffffff"],
  green: ["#8fd49a", "#2c8443", "#17602a", "#ffffff"],
  yellow: ["#fff0a0", "#ecc92e", "#b08f0c", "#1a1a1a"],
  purple: ["#c8a2e6", "#8346b5", "#542478", "#ffffff"],
  orange: ["#ffc48a", "#ec8222", "#ab5208", "#1a1a1a"],
});

/** Signs as paths on a stone of radius 10. */
const SIGNS = /** @type {Record<string, string>} */ ({
  red: "M-6 0H6",
  blue: "M-5.5-2.5H5.5M-5.5 2.5H5.5",
  green: "M4.5 0A4.5 4.5 0 1 1-4.5 0A4.5 4.5 0 1 1 4.5 0",
  yellow: "M-6 0H6M0-6V6",
  purple: "M-4.5 4.5L4.5-4.5",
  orange: "M0-5.5L5 3.5H-5Z",
});

/** Returns true if stones of a color carry a sign. @param {string} color */
export function hasSign(color) {
  return color in SIGNS;
}

/** Returns the gradients of all stones and of their paler copies, for the `defs` of a picture. */
export function gradients() {
  return COLORS.flatMap((color) => [gradient(color, "stone"), gradient(color, "image")]);
}

/**
 * @param {string} color
 * @param {"stone" | "image"} kind
 */
function gradient(color, kind) {
  const stops = [0, 0.45, 1].map((offset, i) => {
    const stop = svg("stop", { offset });
    const paint = PAINT[color][i];
    stop.style.stopColor =
      kind === "stone" ? paint : `color-mix(in srgb, ${paint} var(--image), var(--wood-a))`;
    return stop;
  });
  return svg(
    "radialGradient",
    { id: `${kind}-${color}`, cx: "0.36", cy: "0.32", r: "0.8" },
    ...stops,
  );
}

/**
 * Returns the sign of a color at a location, or `null` for black and white.
 * @param {string} color
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function sign(color, x, y, r) {
  const d = SIGNS[color];
  if (!d) return null;
  return svg("path", {
    d,
    class: `sign sign-${color}`,
    transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${(r / 10).toFixed(4)})`,
  });
}

/**
 * Small picture of a stone for panels.
 * @param {string} color
 */
export function chip(color) {
  const body = svg("circle", {
    cx: 0,
    cy: 0,
    r: 9.2,
    fill: PAINT[color][1],
    class: `chip-body chip-${color}`,
  });
  const mark = sign(color, 0, 0, 9);
  return svg(
    "svg",
    { class: "chip", viewBox: "-10 -10 20 20", "aria-hidden": "true", focusable: "false" },
    body,
    mark,
  );
}

/**
 * Name of a color, or another text, with a capital letter first.
 * @param {string} text
 */
export function title(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Chip and name of a color, for a table or list.
 * @param {string} color
 */
export function labeledChip(color) {
  return el("span", { class: "with-chip" }, chip(color), title(color));
}

/** @type {Map<string, HTMLCanvasElement>} */
const sprites = new Map();

/**
 * Returns a stone painted for a canvas. Sprites are kept for each color and size.
 * @param {string} color
 * @param {number} r Radius in pixels of the canvas.
 * @param {boolean} plain True in the paper theme.
 */
export function sprite(color, r, plain) {
  const size = Math.max(2, Math.round(r));
  const key = `${color} ${size} ${plain}`;
  const known = sprites.get(key);
  if (known) return known;
  if (sprites.size > 500) sprites.clear();
  const canvas = el("canvas", { width: 2 * size + 4, height: 2 * size + 4 });
  const context = canvas.getContext("2d");
  if (context) {
    const c = size + 2;
    const [light, body, shade, text] = PAINT[color] ?? PAINT.black;
    const gradient = context.createRadialGradient(
      c - 0.28 * size,
      c - 0.36 * size,
      0,
      c - 0.28 * size,
      c - 0.36 * size,
      1.6 * size,
    );
    gradient.addColorStop(0, light);
    gradient.addColorStop(0.45, body);
    gradient.addColorStop(1, shade);
    const flat = color === "black" ? "#000000" : "#ffffff";
    context.fillStyle = plain ? flat : gradient;
    context.strokeStyle = "#1c1208";
    context.lineWidth = Math.max(1, size / 14);
    context.beginPath();
    context.arc(c, c, size, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    const d = SIGNS[color];
    if (d && size >= 4) {
      context.translate(c, c);
      context.scale(size / 10, size / 10);
      context.strokeStyle = plain ? "#000000" : text;
      context.lineWidth = 2;
      context.stroke(new Path2D(d));
    }
  }
  sprites.set(key, canvas);
  return canvas;
}
