import assert from "node:assert/strict";
import { test } from "node:test";
import { backward, copies, forward, period, surfaceOf } from "../../../src/play/page/js/surface.js";

/** Generators as the program sends them. */
function generators(kind, w, h) {
  const flips = ["mobius", "klein", "projective"].includes(kind);
  const right = flips ? [1, 0, w, 0, -1, h - 1] : [1, 0, w, 0, 1, 0];
  const up = kind === "projective" ? [-1, 0, w - 1, 0, 1, h] : [1, 0, 0, 0, 1, h];
  return ["cylinder", "mobius"].includes(kind) ? [right] : [right, up];
}

/** Neighbors in the graph, by the definition of each surface. */
function neighbors(kind, w, h, vertex) {
  const [x, y] = [vertex % w, Math.floor(vertex / w)];
  const found = new Set();
  const add = (a, b) => found.add(a + w * b);
  for (const dx of [-1, 1]) {
    const a = x + dx;
    if (a >= 0 && a < w) add(a, y);
    else add((a + w) % w, ["mobius", "klein", "projective"].includes(kind) ? h - 1 - y : y);
  }
  for (const dy of [-1, 1]) {
    const b = y + dy;
    if (b >= 0 && b < h) add(x, b);
    else if (["torus", "klein"].includes(kind)) add(x, (b + h) % h);
    else if (kind === "projective") add(w - 1 - x, (b + h) % h);
  }
  return found;
}

for (const kind of ["cylinder", "torus", "mobius", "klein", "projective"]) {
  for (const [w, h] of [
    [3, 3],
    [4, 5],
    [6, 5],
    [7, 4],
  ]) {
    const surface = surfaceOf(generators(kind, w, h), w, h);

    test(`${kind}:${w}x${h}: lattice neighbors are graph neighbors`, () => {
      for (let X = -2 * w; X < 2 * w; X++) {
        for (let Y = -2 * h; Y < 2 * h; Y++) {
          const here = backward(surface, X, Y);
          if (!here) continue;
          const back = forward(surface, here);
          assert.deepEqual([back.x, back.y], [X, Y]);
          const around = neighbors(kind, w, h, here.x + w * here.y);
          const seen = new Set();
          for (const [dx, dy] of [
            [1, 0],
            [-1, 0],
            [0, 1],
            [0, -1],
          ]) {
            const next = backward(surface, X + dx, Y + dy);
            if (next) seen.add(next.x + w * next.y);
          }
          around.delete(here.x + w * here.y);
          seen.delete(here.x + w * here.y);
          assert.deepEqual([...seen].sort(), [...around].sort());
        }
      }
    });

    test(`${kind}:${w}x${h}: every window has each vertex once as principal`, () => {
      for (const [left, low] of [
        [0, 0],
        [-3, 2],
        [w - 1, h - 1],
      ]) {
        const found = copies(surface, { left, right: left + w, low, high: low + h });
        const principal = found.filter((one) => one.principal).map((one) => one.vertex);
        assert.equal(new Set(principal).size, w * h);
        assert.equal(principal.length, w * h);
      }
    });

    test(`${kind}:${w}x${h}: the picture repeats after its period`, () => {
      const { x, y } = period(surface);
      for (let X = 0; X < w; X++) {
        for (let Y = 0; Y < h; Y++) {
          const [a, b] = [backward(surface, X, Y), backward(surface, X + x, Y + y)];
          assert.deepEqual([a.x, a.y], [b.x, b.y]);
        }
      }
    });
  }
}

test("other generators are not drawn as a plane", () => {
  assert.equal(surfaceOf([[0, 1, 3, 1, 0, 0]], 3, 3), null);
  assert.equal(surfaceOf(undefined, 3, 3), null);
});
