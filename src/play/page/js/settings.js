/**
 * Choices of this person, kept in the browser, and the theme of the page.
 */

const KEY = "omnigo-settings";

/** @returns {import("./types.js").Settings} */
function defaults() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return {
    theme: dark ? "dark" : "light",
    names: "alias",
    numbers: "last",
    sound: false,
    ownership: true,
    candidates: true,
    variation: true,
    images: true,
    shortcuts: true,
    interval: 200,
  };
}

/**
 * Reads the settings. Unknown values are replaced by defaults.
 * @returns {import("./types.js").Settings}
 */
export function load() {
  const settings = /** @type {Record<string, any>} */ (defaults());
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    for (const [key, value] of Object.entries(settings)) {
      const known = LISTS[key]?.includes(stored[key]) ?? true;
      if (known && typeof stored[key] === typeof value) settings[key] = stored[key];
    }
  } catch {
    // Without storage the defaults hold for this visit.
  }
  return /** @type {import("./types.js").Settings} */ (settings);
}

/** @param {import("./types.js").Settings} settings */
export function save(settings) {
  document.documentElement.dataset.theme = settings.theme;
  document.documentElement.dataset.images = settings.images ? "pale" : "full";
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A full or forbidden storage loses the choice, and the page works on.
  }
}

/**
 * Returns the value after another one in a list, from the start again at its end.
 * @template {string} T
 * @param {readonly T[]} list
 * @param {T} value
 */
export function next(list, value) {
  return list[(list.indexOf(value) + 1) % list.length];
}

export const THEMES = /** @type {const} */ (["light", "dark", "paper"]);
export const NAMES = /** @type {const} */ (["alias", "label", "index", "none"]);
export const NUMBERS = /** @type {const} */ (["last", "five", "all", "none"]);
/** Values of the settings that are words. @type {Record<string, readonly string[]>} */
const LISTS = { theme: THEMES, names: NAMES, numbers: NUMBERS };
