import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAINT } from "../../../src/play/page/js/stones.js";

const read = (name) =>
  readFileSync(new URL(`../../../src/play/page/${name}`, import.meta.url), "utf8");
const style = read("style.css");
const board = read("board.css");

/** Variables of a theme: those of the root, overridden by its own. */
function theme(name) {
  const block = (selector) => {
    const from = style.indexOf(`${selector} {`);
    return style.slice(from, style.indexOf("}", from));
  };
  const found = {};
  for (const text of [block(":root"), block(`[data-theme="${name}"]`)]) {
    for (const [, key, value] of text.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)) found[key] = value;
  }
  return found;
}

function luminance(color) {
  const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
  const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

for (const name of ["light", "dark", "paper"]) {
  const colors = theme(name);
  const least = (front, back, limit) => {
    const found = ratio(colors[front], colors[back]);
    assert.ok(found >= limit, `${name}: ${front} on ${back} is ${found.toFixed(2)}`);
  };
  test(`text of the ${name} theme reaches 4.5`, () => {
    for (const wood of ["wood-a", "wood-b"]) {
      least("wood-text", wood, 4.5);
      least("wood-faint", wood, 4.5);
    }
    least("wood-text", "wood-node", 4.5);
    for (const ground of ["page", "panel", "accent-soft"]) least("text", ground, 4.5);
    for (const ground of ["page", "panel", "accent-soft"]) least("soft", ground, 4.5);
    least("accent-text", "accent", 4.5);
    for (const ground of ["page", "panel"]) least("bad", ground, 4.5);
  });

  test(`lines of the ${name} theme reach 3`, () => {
    for (const wood of ["wood-a", "wood-b"]) {
      for (const line of ["wood-line", "wood-mark", "rim"]) least(line, wood, 3);
    }
    least("edge", "panel", 3);
    least("accent", "panel", 3);
  });
}

test("texts on candidates reach 4.5", () => {
  const fills = [...board.matchAll(/\.candidate-(\w+) \.shape \{\s*fill: (#[0-9a-f]{6})/g)];
  assert.equal(fills.length, 5);
  for (const [, rank, fill] of fills) {
    const text = rank === "best" ? "#ffffff" : "#000000";
    assert.ok(ratio(text, fill) >= 4.5, `${rank}: ${ratio(text, fill).toFixed(2)}`);
  }
});

/** Color between two others. */
function mix(a, b, share) {
  const part = (at) => {
    const [x, y] = [a, b].map((color) => parseInt(color.slice(at, at + 2), 16));
    return Math.round(x * (1 - share) + y * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${[1, 3, 5].map(part).join("")}`;
}

/** Color of the middle of a stone: 0.63 of the way from its highlight to its body. */
const middle = ([light, body]) => mix(light, body, 0.63);

test("texts on stones reach 4.5, by a seam on dark colors", () => {
  const seams = new Map(
    [...board.matchAll(/text\.on-(\w+) \{\s*stroke: (#[0-9a-f]{6})/g)].map(([, color, stroke]) => [
      color,
      stroke,
    ]),
  );
  assert.deepEqual([...seams.keys()], ["red", "blue", "green", "purple"]);
  for (const [color, paint] of Object.entries(PAINT)) {
    const ground = seams.get(color) ?? middle(paint);
    const found = ratio(paint[3], ground);
    assert.ok(found >= 4.5, `${color}: ${found.toFixed(2)}`);
    if (seams.has(color)) assert.equal(ground, paint[2], "the shade of the stone");
  }
});

test("signs and rings on stones reach 3", () => {
  for (const [color, paint] of Object.entries(PAINT)) {
    const found = ratio(paint[3], middle(paint));
    assert.ok(found >= 3, `${color}: ${found.toFixed(2)}`);
  }
  const [, locked] = /\.ring\.locked \{\s*stroke: (#[0-9a-f]{6})/.exec(board);
  for (const color of ["black", "white"]) {
    const found = ratio(locked, PAINT[color][1]);
    assert.ok(found >= 3, `alive on ${color}: ${found.toFixed(2)}`);
  }
});
