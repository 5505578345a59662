import assert from "node:assert/strict";
import { test } from "node:test";
import {
  IDENTITY,
  drag,
  lift,
  matrix,
  multiply,
  turn,
} from "../../../src/play/page/js/quaternion.js";

const close = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 1e-6);

test("a closed path of the pointer gives the identity", () => {
  const path = [];
  for (let i = 0; i <= 100; i++) {
    const angle = (i / 100) * 2 * Math.PI;
    path.push(lift(120 * Math.cos(angle) + 30, 90 * Math.sin(angle) - 10, 200));
  }
  let q = IDENTITY;
  for (let i = 1; i < path.length; i++) q = multiply(drag(path[i - 1], path[i]), q);
  assert.ok(
    close(q, IDENTITY) ||
      close(
        q.map((part) => -part),
        IDENTITY,
      ),
  );
});

test("lifting has no jump at the rim", () => {
  const r = 100;
  const edge = r / Math.SQRT2;
  assert.ok(close(lift(edge - 1e-9, 0, r), lift(edge + 1e-9, 0, r)));
});

test("a matrix keeps lengths", () => {
  const m = matrix(multiply(turn([1, 0, 0], 0.7), turn([0, 1, 0], -1.9)));
  for (let row = 0; row < 3; row++) {
    assert.ok(Math.abs(Math.hypot(m[3 * row], m[3 * row + 1], m[3 * row + 2]) - 1) < 1e-12);
  }
});
