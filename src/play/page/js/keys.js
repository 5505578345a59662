/**
 * Keyboard: shortcuts, the list of them, and typed moves.
 */

import { byId, el, openSheet } from "./dom.js";

const LIST = [
  ["Arrows", "on the board: to the next point; elsewhere: moves and branches"],
  ["[  ]", "to the previous or next neighbor by angle"],
  ["Shift + arrows", "pan, or rotate in space"],
  ["Enter, Space", "play at the cursor"],
  ["Home, End", "first and last move"],
  ["Page Up, Page Down", "10 moves back and ahead"],
  [",", "play the engine's best move"],
  [".", "show its line, and say it"],
  ["P, U, R", "pass, undo, redo (also Ctrl+Z, Ctrl+Y)"],
  ["A, O, G", "analysis, ownership, engine moves now"],
  ["C, M, V, T", "names, move numbers, view, theme"],
  ["+, -, 0", "zoom in, zoom out, fit"],
  ["/", "type a point; Enter plays there"],
  ["Escape", "drop the ghost stone, close, stop a long job"],
  ["?", "this list"],
];

/** Keys that act once however long they are held: each repetition would play or switch again. */
const ONCE = new Set(["p", "g", "a", ","]);

/**
 * @typedef {object} Commands
 * @property {Record<string, () => void>} letters Function of each single key, in lower case.
 * @property {(by: number) => void} step Moves through the game.
 * @property {(by: number) => void} branch
 * @property {(end: boolean) => void} jump To the first or last move.
 * @property {() => void} escape
 * @property {() => boolean} enabled True if single letters work.
 */

/** Fields that take letters. @param {EventTarget | null} target */
function isField(target) {
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(target.type))
  );
}

/**
 * Listens to the keyboard.
 * @param {import("./board-view.js").BoardView} view
 * @param {Commands} commands
 */
export function keyboard(view, commands) {
  const arrows = /** @type {Record<string, [number, number]>} */ ({
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  });

  /** @param {KeyboardEvent} event @returns {boolean} */
  const board = (event) => {
    const direction = arrows[event.key];
    if (direction && event.shiftKey) {
      view.shift(...direction);
      return true;
    }
    if (direction) {
      if (!view.arrow(...direction)) view.tell("edge", {});
      return true;
    }
    if (event.key === "Enter" || event.key === " ") {
      if (event.repeat) return true;
      view.tell("choose", { vertex: view.picture.cursor, touch: false, shift: event.shiftKey });
      return true;
    }
    if (event.key === "[" || event.key === "]") {
      view.turnCursor(event.key === "]" ? 1 : -1);
      return true;
    }
    return false;
  };

  /** @param {KeyboardEvent} event @returns {boolean} */
  const page = (event) => {
    const direction = arrows[event.key];
    if (direction) {
      if (event.shiftKey) view.shift(...direction);
      else if (direction[0] !== 0) commands.step(direction[0]);
      else commands.branch(direction[1]);
      return true;
    }
    return false;
  };

  /** @param {KeyboardEvent} event @returns {boolean} */
  const anywhere = (event) => {
    const jumps = /** @type {Record<string, () => void>} */ ({
      Home: () => commands.jump(false),
      End: () => commands.jump(true),
      PageUp: () => commands.step(-10),
      PageDown: () => commands.step(10),
      Escape: commands.escape,
    });
    const jump = jumps[event.key];
    if (jump) {
      jump();
      return true;
    }
    const letter = event.key.toLowerCase();
    const action = commands.letters[letter];
    if (!action || !commands.enabled()) return false;
    if (!event.repeat || !ONCE.has(letter)) action();
    return true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (isField(event.target)) {
      if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
      return;
    }
    if (event.ctrlKey) {
      const action = { z: commands.letters.u, y: commands.letters.r }[event.key.toLowerCase()];
      if (!action) return;
      event.preventDefault();
      action();
      return;
    }
    const target = /** @type {Element} */ (event.target);
    const onBoard = view.frame.contains(target);
    // Lists scroll by these keys, and a group of radio buttons moves its choice.
    const own = target.closest(".scroll:not(.tree), .console, [role=tablist], [type=radio]");
    if (own && (arrows[event.key] || /^(Home|End|Page)/.test(event.key))) return;
    if (onBoard ? board(event) || anywhere(event) : page(event) || anywhere(event)) {
      event.preventDefault();
    }
  });
}

/** Opens the list of keys. */
export function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog-keys"));
  const entries = LIST.flatMap(([key, text]) => [el("dt", {}, key), el("dd", {}, text)]);
  openSheet(dialog, "keys-title", "Keys", el("dl", { class: "keys" }, ...entries));
}

/**
 * Asks for a point and plays there.
 * @param {import("./session.js").Session} session
 */
export function typeMove(session) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog-point"));
  const field = el("input", { type: "text", autocomplete: "off", autocapitalize: "none" });
  const error = el("p", { class: "error", role: "alert" });
  const form = el(
    "form",
    {},
    el("h2", { id: "point-title" }, "Play at a point"),
    el("label", { class: "field" }, el("span", {}, "Alias, label, or pass"), field),
    error,
    el(
      "div",
      { class: "row" },
      el("button", { type: "submit", class: "primary" }, "Play"),
      el("button", { type: "button", click: () => dialog.close() }, "Cancel"),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { board } = session;
    const text = field.value.trim();
    if (!board || text === "") return;
    if (text.toLowerCase() === "pass") {
      dialog.close();
      void session.command({ type: "pass" });
      return;
    }
    const vertex = findPoint(board, text);
    if (vertex < 0) {
      const quoted = text.slice(0, 40);
      error.textContent = `no point '${quoted}', expected an alias or label of the board`;
      return;
    }
    dialog.close();
    void session.play(vertex);
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  field.focus();
}

/**
 * Index of an alias or label. The alias wins.
 * @param {import("./types.js").Board} board
 * @param {string} text
 */
export function findPoint(board, text) {
  const alias = board.indices.get(text) ?? board.indices.get(text.toUpperCase());
  return alias ?? board.labels.indexOf(text);
}
