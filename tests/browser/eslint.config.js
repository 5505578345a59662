import js from "@eslint/js";

const browser = [
  ..."window document location history navigator performance crypto URL URLSearchParams Blob".split(
    " ",
  ),
  ..."WebSocket Event EventTarget CustomEvent ResizeObserver IntersectionObserver Path2D".split(
    " ",
  ),
  ..."AudioContext TextDecoder TextEncoder Node Element HTMLElement HTMLInputElement HTMLSelectElement".split(
    " ",
  ),
  ..."HTMLTextAreaElement HTMLSelectElement localStorage sessionStorage matchMedia getComputedStyle".split(
    " ",
  ),
  ..."requestAnimationFrame setTimeout clearTimeout setInterval queueMicrotask".split(" "),
  ..."addEventListener MutationObserver devicePixelRatio atob btoa PointerEvent".split(" "),
];
const names = (list) => Object.fromEntries(list.map((name) => [name, "readonly"]));
// Texts of users never become markup.
const markup = ["innerHTML", "outerHTML", "insertAdjacentHTML", "write", "writeln"];

export default [
  js.configs.recommended,
  {
    files: ["**/page/js/*.js"],
    languageOptions: { globals: names(browser) },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "max-lines": ["error", 500],
      "max-lines-per-function": ["error", 100],
      "no-restricted-properties": ["error", ...markup.map((property) => ({ property }))],
    },
  },
  {
    files: ["**/*.spec.js", "**/*.test.js", "**/*.config.js", "**/{fixtures,fake-dom}.js"],
    languageOptions: {
      globals: names([...browser, "process", "console", "Buffer"]),
    },
    rules: {
      "no-restricted-properties": ["error", { property: "waitForTimeout" }],
      // Fixtures of Playwright take their dependencies as a pattern, even without any.
      "no-empty-pattern": "off",
    },
  },
];
