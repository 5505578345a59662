/**
 * Pointer gestures on a board: taps, drags, pinches, wheel, and hover. It knows no boards.
 */

/** Distance in pixels that a mouse may travel in a click, and a finger in a tap. */
const SLACK = { mouse: 6, touch: 10 };
/** Sum of wheel movement for one step of zoom. */
const WHEEL_STEP = 60;

/**
 * @typedef {object} Handlers
 * @property {(at: {x: number, y: number}, event: PointerEvent) => void} press
 * @property {() => void} second A second finger is down: the first one chose nothing.
 * @property {(at: {x: number, y: number}, event: PointerEvent) => void} tap
 * @property {(at: {x: number, y: number}, event: PointerEvent) => void} hover
 * @property {() => void} leave
 * @property {(from: {x: number, y: number}, to: {x: number, y: number},
 *   event: PointerEvent, count: number) => void} drag
 * @property {(at: {x: number, y: number}, event: PointerEvent) => void} release End of a drag.
 * @property {(at: {x: number, y: number}, factor: number) => void} zoom
 * @property {(event: MouseEvent) => void} menu
 */

/**
 * Listens to the pointers on an element.
 * @param {Element} element
 * @param {Handlers} handlers
 */
export function listen(element, handlers) {
  /** @type {Map<number, {x: number, y: number, startX: number, startY: number}>} */
  const down = new Map();
  let dragging = false;
  let many = false;
  let wheel = 0;
  /** @param {MouseEvent} event */
  const at = (event) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  /** @param {PointerEvent} event */
  const slack = (event) => (event.pointerType === "mouse" ? SLACK.mouse : SLACK.touch);

  element.addEventListener("pointerdown", (raw) => {
    const event = /** @type {PointerEvent} */ (raw);
    if (event.button !== 0) return;
    const { x, y } = at(event);
    // A primary pointer is the only one down, even if a release outside the board was missed.
    if (event.isPrimary) down.clear();
    if (down.size === 0) {
      dragging = false;
      many = false;
      handlers.press({ x, y }, event);
    } else {
      many = true;
      handlers.second();
    }
    down.set(event.pointerId, { x, y, startX: x, startY: y });
  });

  /** @param {PointerEvent} event */
  const move = (event) => {
    const here = at(event);
    const pointer = down.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType !== "touch" && event.target instanceof Node) {
        if (element.contains(event.target)) handlers.hover(here, event);
      }
      return;
    }
    const before = { x: pointer.x, y: pointer.y };
    if (!dragging && !many) {
      const travel = Math.hypot(here.x - pointer.startX, here.y - pointer.startY);
      if (travel <= slack(event)) return;
      dragging = true;
      element.setPointerCapture?.(event.pointerId);
    }
    if (many && down.size >= 2) {
      const other = [...down.entries()].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const gap = Math.hypot(before.x - other.x, before.y - other.y);
        const now = Math.hypot(here.x - other.x, here.y - other.y);
        const middle = { x: (here.x + other.x) / 2, y: (here.y + other.y) / 2 };
        if (gap > 0 && now > 0) handlers.zoom(middle, now / gap);
        const half = { x: (before.x + other.x) / 2, y: (before.y + other.y) / 2 };
        handlers.drag(half, middle, event, 2);
      }
    } else if (dragging) {
      handlers.drag(before, here, event, 1);
    }
    pointer.x = here.x;
    pointer.y = here.y;
  };
  element.addEventListener("pointermove", (event) => move(/** @type {PointerEvent} */ (event)));

  /** @param {PointerEvent} event @param {boolean} canceled */
  const up = (event, canceled) => {
    if (!down.delete(event.pointerId)) return;
    const here = at(event);
    if (down.size > 0) return;
    if (dragging || many) handlers.release(here, event);
    else if (!canceled) handlers.tap(here, event);
    dragging = false;
    many = false;
  };
  element.addEventListener("pointerup", (event) => up(/** @type {PointerEvent} */ (event), false));
  element.addEventListener("pointercancel", (event) =>
    up(/** @type {PointerEvent} */ (event), true),
  );
  element.addEventListener("pointerleave", () => handlers.leave());
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    handlers.menu(/** @type {MouseEvent} */ (event));
  });
  element.addEventListener(
    "wheel",
    (raw) => {
      const event = /** @type {WheelEvent} */ (raw);
      event.preventDefault();
      wheel += event.deltaY * (event.deltaMode === 1 ? 20 : 1);
      while (Math.abs(wheel) >= WHEEL_STEP) {
        const sign = Math.sign(wheel);
        wheel -= sign * WHEEL_STEP;
        handlers.zoom(at(event), sign > 0 ? 1 / 1.15 : 1.15);
      }
    },
    { passive: false },
  );
}
