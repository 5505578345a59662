/**
 * Dialog with display choices, files, and less frequent commands.
 */

import { byId, el, labeled, openSheet, select } from "./dom.js";
import { download, filePicker } from "./files.js";
import { showKeys } from "./keys.js";
import { playersForm } from "./rules-form.js";
import { NAMES, NUMBERS, THEMES } from "./settings.js";
import { startSetup } from "./setup.js";
import { wake } from "./sound.js";

/** Words for what is saved. */
const SUBJECTS = { position: "the position", game: "the game", graph: "the graph" };

/** @param {import("./session.js").Session} session */
export function openMore(session) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog-more"));
  const close = () => dialog.close();
  openSheet(
    dialog,
    "more-title",
    "More",
    display(session),
    exports(session),
    el(
      "section",
      { class: "stack" },
      el("h3", {}, "Open"),
      session.isOwner
        ? filePicker(session, close)
        : el("p", { class: "note" }, "Only the owner can open files."),
    ),
    game(session, close),
    people(session),
  );
}

/** @param {import("./session.js").Session} session */
function display(session) {
  const { settings } = session;
  /** @param {string} text @param {keyof typeof settings} key @param {() => void} [also] */
  const check = (text, key, also) => {
    const box = el("input", { type: "checkbox", checked: Boolean(settings[key]) });
    box.addEventListener("change", () => {
      session.set({ [key]: box.checked });
      also?.();
    });
    return el("label", { class: "check" }, box, text);
  };
  /**
   * @param {string} text
   * @param {readonly string[]} values
   * @param {"theme" | "names" | "numbers"} key
   * @param {Record<string, string>} words
   */
  const choice = (text, values, key, words = {}) => {
    const list = values.map(
      (value) => /** @type {[string, string]} */ ([value, words[value] ?? value]),
    );
    const field = select(list, settings[key], { id: `set-${key}` });
    field.addEventListener("change", () =>
      session.set(/** @type {any} */ ({ [key]: field.value })),
    );
    return labeled(text, field);
  };
  const interval = select(
    [100, 200, 500, 1000, 5000].map((ms) => [String(ms), `${ms} ms`]),
    String(settings.interval),
  );
  interval.addEventListener("change", () => session.set({ interval: Number(interval.value) }));
  return el(
    "section",
    { class: "stack" },
    el("h3", {}, "Display"),
    el(
      "div",
      { class: "pair" },
      choice("Theme", THEMES, "theme"),
      choice("Names of points", NAMES, "names"),
      choice("Move numbers", NUMBERS, "numbers", {
        last: "mark the last move",
        five: "last 5",
        none: "none",
      }),
      labeled("Analysis every", interval),
    ),
    check("Candidate moves", "candidates"),
    check("Variation under the pointer", "variation"),
    check("Ownership", "ownership"),
    check("Paler copies past a seam", "images"),
    check("Sound", "sound", wake),
    check("Single-letter keys", "shortcuts"),
  );
}

/** @param {import("./session.js").Session} session */
function exports(session) {
  const { board, state } = session;
  const graph = select([["svg", "svg"]], "svg", { "aria-label": "Format of the graph" });
  void session.connection.ask({ type: "formats" }).then((answer) => {
    if (answer.type !== "result") return;
    const names = answer.formats
      .filter((/** @type {any} */ format) => format.writes)
      .map((/** @type {any} */ format) => format.name);
    const all = [...new Set([...names, "svg", "png", "pdf"])];
    graph.replaceChildren(...all.map((name) => el("option", { value: name }, name)));
  });
  /** @param {"position" | "game" | "graph"} what @param {string} format @param {string} text */
  const button = (what, format, text) =>
    el(
      "button",
      {
        type: "button",
        "data-export": `${what}-${format}`,
        "aria-label": `Save ${SUBJECTS[what]} as ${text}`,
        click: () => void download(session, what, format),
      },
      text,
    );
  const sgf = board?.rectangle && !board.surface && state?.players.length === 2;
  return el(
    "section",
    { class: "stack" },
    el("h3", {}, "Save"),
    el(
      "div",
      { class: "row" },
      el("span", {}, "Position"),
      button("position", "svg", "SVG"),
      button("position", "png", "PNG"),
      button("position", "pdf", "PDF"),
    ),
    el(
      "div",
      { class: "row" },
      el("span", {}, "Game"),
      sgf ? button("game", "sgf", "SGF") : null,
      button("game", "json", "JSON"),
    ),
    el(
      "div",
      { class: "row" },
      el("span", {}, "Moves as pictures"),
      button("game", "svg", "SVG"),
      button("game", "png", "PNG"),
      button("game", "pdf", "PDF"),
    ),
    el(
      "div",
      { class: "row" },
      graph,
      el(
        "button",
        { type: "button", click: () => void download(session, "graph", graph.value) },
        "Save graph",
      ),
    ),
  );
}

/** @param {import("./session.js").Session} session @param {() => void} close */
function game(session, close) {
  const owner = session.isOwner;
  return el(
    "section",
    { class: "stack" },
    el("h3", {}, "Game"),
    el(
      "div",
      { class: "row" },
      owner
        ? el(
            "button",
            {
              type: "button",
              id: "setup-button",
              click: () => {
                close();
                startSetup(session);
              },
            },
            "Set up a position",
          )
        : null,
      el(
        "button",
        {
          type: "button",
          click: () => {
            close();
            showKeys();
          },
        },
        "Keys",
      ),
      session.model.welcome?.quit ? quitButton(session, close) : null,
    ),
  );
}

/**
 * Button that ends the program at the second press.
 * @param {import("./session.js").Session} session
 * @param {() => void} close
 */
function quitButton(session, close) {
  const button = el("button", { type: "button", id: "quit" }, "End omnigo");
  button.addEventListener("click", () => {
    if (button.dataset.sure !== "true") {
      button.dataset.sure = "true";
      button.textContent = "End omnigo and all its games?";
      return;
    }
    close();
    void session.quit();
  });
  return button;
}

/** Players, and links for other people. @param {import("./session.js").Session} session */
function people(session) {
  if (!session.isOwner) return null;
  const { state, model } = session;
  const form = playersForm(state?.players ?? [], model.welcome?.levels ?? 10);
  const links = Object.entries(model.welcome?.links ?? {}).map(([role, path]) => {
    const address = new URL(String(path), location.origin).href;
    const field = el("input", { type: "text", readonly: true, value: address });
    field.addEventListener("focus", () => field.select());
    return labeled(role === "watch" ? "Link for spectators" : `Link for ${role}`, field);
  });
  return el(
    "section",
    { class: "stack" },
    el("h3", {}, "Players"),
    form.body,
    el(
      "div",
      { class: "row" },
      el(
        "button",
        {
          type: "button",
          id: "set-players",
          click: () => void session.command({ type: "players", players: form.values() }),
        },
        "Set players",
      ),
    ),
    links.length
      ? el(
          "details",
          {},
          el("summary", {}, "Links for other people"),
          el(
            "div",
            { class: "stack" },
            el(
              "p",
              { class: "note" },
              "Each link lets its holder play one color or watch. They work on this network only " +
                "if omnigo was started with --host.",
            ),
            ...links,
          ),
        )
      : null,
  );
}

/**
 * Copies the link of the game. Without a clipboard, a dialog shows the link for copying.
 * @param {import("./session.js").Session} session
 */
export async function copyLink(session) {
  const text = session.state?.link;
  if (!text) {
    session.say("This game cannot be a link. Save it as a file instead.");
    return;
  }
  const address = `${location.origin}/#${text}`;
  const long = address.length > 2000 ? " It is long: some programs cut such links." : "";
  try {
    await navigator.clipboard.writeText(address);
    session.say(`The link is on the clipboard.${long}`);
  } catch {
    const dialog = /** @type {HTMLDialogElement} */ (byId("dialog-link"));
    const field = el(
      "textarea",
      { rows: 4, readonly: true, "aria-labelledby": "link-title" },
      address,
    );
    dialog.replaceChildren(
      el(
        "div",
        { class: "sheet" },
        el("h2", { id: "link-title" }, "Link to this game"),
        field,
        el("p", { class: "note" }, `omnigo play opens it.${long}`),
        el("button", { type: "button", click: () => dialog.close() }, "Close"),
      ),
    );
    dialog.showModal();
    field.select();
  }
}
