/**
 * Pane of exact answers: value of the position, komi, legal positions, and unconditional life.
 */

import { el } from "./dom.js";
import { title } from "./stones.js";

const QUESTIONS = /** @type {const} */ ([
  ["solve", "Solve", "Value of this position and all best moves"],
  ["komi", "Komi", "Fair komi of the board"],
  ["count", "Positions", "Number of legal positions of the board"],
  ["life", "Life", "Chains that are unconditionally alive"],
]);

/** @param {import("./session.js").Session} session */
export function exactPane(session) {
  const seconds = el("input", { type: "number", min: 1, max: 600, value: 60, id: "exact-seconds" });
  const output = el("p", { "aria-live": "polite", id: "exact-answer" });
  const detail = el("p", { class: "note" });
  const stop = el("button", { type: "button", hidden: true }, "Stop");
  /** @type {number | null} */
  let job = null;
  const buttons = QUESTIONS.map(([tool, text, hint]) =>
    el("button", { type: "button", title: hint, click: () => void ask(tool, text) }, text),
  );

  /** @param {string} tool @param {string} text */
  const ask = async (tool, text) => {
    if (job !== null) return;
    output.textContent = `${text}: working.`;
    detail.textContent = "";
    stop.hidden = false;
    // A disabled button loses the focus of the keyboard.
    const pressed = buttons.find((button) => button === document.activeElement);
    if (pressed) stop.focus();
    for (const button of buttons) button.disabled = true;
    const answer = session.connection.ask(
      { type: tool, seconds: Number(seconds.value) || 60 },
      (progress) => (detail.textContent = progress),
    );
    job = session.connection.count;
    const found = await answer;
    job = null;
    for (const button of buttons) button.disabled = false;
    if (pressed && document.activeElement === stop) pressed.focus();
    stop.hidden = true;
    show(tool, text, found);
  };
  stop.addEventListener("click", () => {
    if (job !== null) void session.connection.ask({ type: "stop", job });
  });

  /** @param {string} tool @param {string} text @param {any} answer */
  const show = (tool, text, answer) => {
    detail.textContent = "";
    if (answer.type !== "result") {
      output.textContent = answer.line ?? answer.text ?? "The question was refused.";
      session.say(output.textContent ?? "");
      return;
    }
    if (tool === "life") {
      const chains = answer.chains.map(
        (/** @type {any} */ chain) => `${title(chain.color)} ${chain.stones.join(" ")}`,
      );
      output.textContent = chains.length
        ? `Unconditionally alive: ${chains.join("; ")}.`
        : "No chain is unconditionally alive.";
      session.ui.chosen = answer.chains.flatMap((/** @type {any} */ chain) => chain.stones);
    } else {
      output.textContent = tool === "count" ? countText(answer) : `${text}: ${answer.text}`;
      session.ui.chosen = answer.best ?? [];
      if (answer.best?.length) detail.textContent = `Best moves: ${answer.best.join(" ")}`;
    }
    session.changed("ui");
    session.say(output.textContent ?? "");
  };

  /** @param {any} answer */
  const countText = ({ positions, text }) => {
    if (!positions) return text;
    return `${group(String(positions))} legal position${String(positions) === "1" ? "" : "s"}.`;
  };

  const body = el(
    "div",
    { class: "stack" },
    el("p", { class: "note" }, "Proved answers. Small boards take seconds; others give bounds."),
    el("div", { class: "row" }, ...buttons, stop),
    el("label", { class: "field" }, el("span", {}, "Seconds at most"), seconds),
    output,
    detail,
  );
  return { body, solve: () => ask("solve", "Solve"), stop: () => stop.click() };
}

/**
 * Digits in groups of three.
 * @param {string} digits
 */
export function group(digits) {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}
