import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Index,
  around,
  cells,
  hull,
  radii,
  spacing,
  step,
} from "../../../src/play/page/js/geometry.js";

const grid = (w, h) =>
  Array.from({ length: w * h }, (_, i) => ({ x: i % w, y: -Math.floor(i / w) }));
const random = (n) => {
  let state = 7;
  const next = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  return Array.from({ length: n }, () => ({ x: 10 * next(), y: 10 * next() }));
};

test("the nearest vertex is found as by looking at all", () => {
  const points = random(300);
  const index = new Index(points);
  for (const at of random(500)) {
    let best = -1;
    let least = 1.5;
    points.forEach((p, i) => {
      const d = Math.hypot(p.x - at.x, p.y - at.y);
      if (d < least) [best, least] = [i, d];
    });
    assert.equal(index.nearest(at.x, at.y, 1.5), best);
  }
});

test("nothing is found beyond the limit", () => {
  const index = new Index(grid(5, 5));
  assert.equal(index.nearest(2.4, -2.5, 0.3), -1);
  assert.equal(index.nearest(2.2, -2, 0.3), 12);
});

test("stones never overlap", () => {
  const points = random(200);
  const r = radii(spacing(points));
  for (let i = 0; i < points.length; i++) {
    for (let j = 0; j < i; j++) {
      const d = Math.hypot(points[i].x - points[j].x, points[i].y - points[j].y);
      assert.ok(r[i] + r[j] <= d);
    }
  }
});

test("single vertices and equal lines have a size", () => {
  assert.deepEqual(spacing([{ x: 3, y: 4 }]), [1]);
  assert.deepEqual(spacing(grid(4, 1)), [1, 1, 1, 1]);
});

test("inner cells of a grid are squares", () => {
  const area = (p) =>
    Math.abs(
      p.reduce((s, a, i) => s + a.x * p[(i + 1) % p.length].y - p[(i + 1) % p.length].x * a.y, 0) /
        2,
    );
  const all = cells(grid(4, 4), 0.8);
  for (const inner of [5, 6, 9, 10]) assert.ok(Math.abs(area(all[inner]) - 1) < 1e-9);
  for (const cell of all) assert.ok(area(cell) < 1.7);
});

test("arrows reach every vertex of a grid by plain steps", () => {
  const points = grid(5, 4);
  const neighbors = points.map((_, i) => {
    const [x, y] = [i % 5, Math.floor(i / 5)];
    return [x > 0 && i - 1, x < 4 && i + 1, y > 0 && i - 5, y < 3 && i + 5].filter(
      (n) => n !== false,
    );
  });
  assert.equal(step(points, 6, { x: 1, y: 0 }, neighbors[6]), 7);
  assert.equal(step(points, 6, { x: 0, y: -1 }, neighbors[6]), 11);
  assert.equal(step(points, 0, { x: -1, y: 0 }, neighbors[0]), -1);
  assert.deepEqual(around(points, 6, neighbors[6]), [11, 7, 1, 5]);
});

test("a hull has the outer points", () => {
  const found = hull([...grid(3, 3)]);
  assert.equal(found.length, 4);
  assert.equal(hull([{ x: 0, y: 0 }]).length, 1);
});
