/**
 * Files: the page sends one to the server, and the browser saves an export.
 */

import { byId, el } from "./dom.js";

/** Largest message in bytes if the server has named none, and the room for its other keys. */
const MOST_BYTES = 1 << 20;
const ROOM = 2000;

/**
 * Sends a file to the server, which replaces the game. Returns an error line, or an empty text.
 * @param {import("./session.js").Session} session
 * @param {File} file
 */
export async function load(session, file) {
  const most = (session.model.welcome?.limits?.message ?? MOST_BYTES) - ROOM;
  // The size is checked before the file is read, and again as it is sent.
  const large = `'${file.name}' has ${file.size} bytes, too many for a message of ${most}`;
  if (file.size > most) return large;
  /** @type {Uint8Array} */
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return `'${file.name}' cannot be read, expected a file`;
  }
  const content = contentOf(bytes, most);
  if (!content) return large;
  const answer = await session.command({ type: "import", name: file.name, ...content });
  if (answer.type === "done" || answer.type === "result") {
    if (answer.warnings?.length) session.say(answer.warnings.join("; "));
    return "";
  }
  return answer.line ?? answer.text ?? "The file was refused.";
}

/**
 * Content of a file as keys of a message: text if it is UTF-8 and short enough in JSON, else base64.
 * Returns `null` if neither fits.
 * @param {Uint8Array} bytes
 * @param {number} most Maximum length in bytes.
 * @returns {Record<string, string> | null}
 */
export function contentOf(bytes, most) {
  try {
    // Quotes and control characters become longer in JSON.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (new TextEncoder().encode(JSON.stringify(text)).length <= most) return { text };
  } catch {
    // Other encodings go as bytes.
  }
  if (4 * Math.ceil(bytes.length / 3) > most) return null;
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { base64: btoa(binary) };
}

/**
 * Field that loads a file.
 * @param {import("./session.js").Session} session
 * @param {() => void} loaded
 */
export function filePicker(session, loaded) {
  const input = el("input", { type: "file", id: "file" });
  const error = el("p", { class: "error", role: "alert" });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    if (!file) return;
    error.textContent = await load(session, file);
    if (error.textContent === "") loaded();
  });
  return el(
    "div",
    { class: "stack" },
    el("label", { class: "field" }, el("span", {}, "Game or graph file"), input),
    el(
      "p",
      { class: "note" },
      "SGF, JSON games of omnigo, and graphs in every format that omnigo reads. You can also " +
        "drop a file anywhere on the page.",
    ),
    error,
  );
}

/** Loads files that are dropped on the page. @param {import("./session.js").Session} session */
export function acceptDrops(session) {
  const curtain = byId("drop");
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    curtain.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) curtain.hidden = true;
  });
  addEventListener("drop", (event) => {
    curtain.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void load(session, file).then((line) => {
      if (line !== "") session.say(line);
    });
  });
}

/**
 * Asks for an export and saves it.
 * @param {import("./session.js").Session} session
 * @param {"position" | "game" | "graph"} what
 * @param {string} format
 */
export async function download(session, what, format) {
  const answer = await session.connection.ask({
    type: "export",
    what,
    format,
    theme: session.settings.theme,
    labels: session.settings.names,
  });
  if (answer.type !== "result") {
    session.say(answer.line ?? answer.text ?? "The export was refused.");
    return;
  }
  const content = answer.base64
    ? Uint8Array.from(atob(answer.base64), (sign) => sign.charCodeAt(0))
    : answer.text;
  const address = URL.createObjectURL(new Blob([content], { type: answer.media }));
  const link = el("a", { href: address, download: answer.name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  session.say(`Saved ${answer.name}.`);
}
