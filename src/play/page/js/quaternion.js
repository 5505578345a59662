/**
 * Rotations in space as unit quaternions [w, x, y, z].
 */

/** @typedef {[number, number, number, number]} Quaternion */
/** @typedef {[number, number, number]} Vector */

/** @type {Quaternion} */
export const IDENTITY = [1, 0, 0, 0];

/**
 * Returns the rotation that applies `b` first and then `a`, normalized.
 * @param {Quaternion} a
 * @param {Quaternion} b
 * @returns {Quaternion}
 */
export function multiply(a, b) {
  const [aw, ax, ay, az] = a;
  const [bw, bx, by, bz] = b;
  return normalize([
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ]);
}

/**
 * @param {Quaternion} q
 * @returns {Quaternion}
 */
export function normalize(q) {
  const length = Math.hypot(...q);
  if (!(length > 0)) return IDENTITY;
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/**
 * Returns the rotation by an angle in radians about a unit axis.
 * @param {Vector} axis
 * @param {number} angle
 * @returns {Quaternion}
 */
export function turn(axis, angle) {
  const half = Math.sin(angle / 2);
  return [Math.cos(angle / 2), axis[0] * half, axis[1] * half, axis[2] * half];
}

/**
 * Returns the nine entries of the rotation matrix, row by row.
 * @param {Quaternion} q
 * @returns {number[]}
 */
export function matrix([w, x, y, z]) {
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

/**
 * Lifts a point of the screen to a ball of radius `r` about the origin. Outside the middle of the
 * ball a hyperbola continues it without a jump.
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @returns {Vector}
 */
export function lift(x, y, r) {
  const square = x * x + y * y;
  const z = square <= (r * r) / 2 ? Math.sqrt(r * r - square) : (r * r) / (2 * Math.sqrt(square));
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/**
 * Returns the rotation of a drag between two points of the screen. The steps of a closed path give
 * the identity, because each step starts with the end of the one before.
 * @param {Vector} a
 * @param {Vector} b
 * @returns {Quaternion}
 */
export function drag(a, b) {
  return normalize([
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ]);
}
