/**
 * Field for a board spec, validated while typing, with a picture of the board.
 */

import { counted, el } from "./dom.js";

/** Delay in milliseconds after the last key before a spec is validated. */
const PAUSE = 180;

/**
 * Spec field and preview.
 * @param {import("./session.js").Session} session
 * @param {string} value
 * @param {(answer: any) => void} changed Called after each validation, with null for a wrong spec.
 */
export function specField(session, value, changed) {
  const input = el("input", {
    type: "text",
    id: "spec",
    name: "spec",
    value,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    "aria-describedby": "spec-note",
  });
  const note = el("p", { class: "note", id: "spec-note", role: "status" });
  const picture = el("img", { alt: "", hidden: true });
  const preview = el("div", { class: "preview" }, picture);
  let asked = 0;
  let address = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {string} spec @param {number} number */
  const draw = async (spec, number) => {
    const answer = await session.connection.ask({
      type: "thumbnail",
      spec,
      width: 440,
      theme: session.settings.theme,
    });
    if (number !== asked) return;
    if (address) URL.revokeObjectURL(address);
    address = "";
    if (answer.type === "result" && answer.svg) {
      address = URL.createObjectURL(new Blob([answer.svg], { type: "image/svg+xml" }));
      picture.src = address;
      picture.alt = `Picture of ${spec}`.slice(0, 200);
      picture.hidden = false;
    } else {
      picture.hidden = true;
    }
  };

  const check = async () => {
    const number = (asked += 1);
    const spec = input.value.trim();
    if (spec === "") {
      note.textContent = "A board such as grid:9, torus:7x7, or petersen";
      changed(null);
      return;
    }
    const answer = await session.connection.ask({ type: "validate", spec });
    if (number !== asked) return;
    const valid = answer.type === "result" && answer.valid === true;
    input.setAttribute("aria-invalid", String(!valid));
    note.className = valid ? "note" : "error";
    if (valid) {
      const size = `${counted(answer.vertices, "point")}, ${counted(answer.edges, "edge")}`;
      note.textContent = [size, ...(answer.warnings ?? [])].join(". ");
      void draw(spec, number);
    } else {
      note.textContent = answer.line ?? answer.text ?? "not a board";
      picture.hidden = true;
    }
    changed(valid ? answer : null);
  };
  const checkSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSE);
  };
  input.addEventListener("input", checkSoon);
  return {
    input,
    note,
    preview,
    check,
    /** Takes a spec whose parts are still being typed. @param {string} spec */
    type(spec) {
      input.value = spec;
      checkSoon();
    },
    /** @param {string} spec */
    set(spec) {
      input.value = spec;
      clearTimeout(timer);
      void check();
    },
  };
}
