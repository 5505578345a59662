/**
 * Server and page for the tests: one program for each test, and a page that must stay free of
 * errors and of requests to other places.
 */

import { spawn } from "node:child_process";
import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect } from "@playwright/test";

export { expect };

const OMNIGO = process.env.OMNIGO ?? "omnigo";
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Starts a server and returns its address and process. */
export async function serve(spec, options = []) {
  const fixed = ["--no-open", "--port", "0", "--seed", "1", "--threads", "1"];
  const limits = options.includes("--playouts") ? [] : ["--playouts", "20"];
  const program = spawn(OMNIGO, ["play", spec, ...fixed, ...limits, ...options]);
  let errors = "";
  program.stderr.on("data", (data) => (errors += data));
  const address = await new Promise((resolve, reject) => {
    let text = "";
    program.stdout.on("data", (data) => {
      text += data;
      const found = /board at (http:\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    program.on("exit", () => reject(new Error(`no address; ${errors}`)));
  });
  return { address, program };
}

export const test = base.extend({
  /** Function that starts a server, which ends with the test. */
  server: async ({}, use) => {
    const programs = [];
    await use(async (spec, options) => {
      const { address, program } = await serve(spec, options);
      programs.push(program);
      return address;
    });
    for (const program of programs) program.kill();
  },

  /** Function that watches a page for errors and foreign requests. */
  watch: async ({}, use) => {
    const faults = [];
    await use((page) => {
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(`console: ${message.text()}`);
      });
      page.on("pageerror", (error) => faults.push(`page: ${error.stack}`));
      page.on("request", (request) => {
        const { protocol, hostname } = new URL(request.url());
        if (["data:", "blob:"].includes(protocol) || hostname === "127.0.0.1") return;
        faults.push(`request: ${request.url()}`);
      });
    });
    expect(faults).toEqual([]);
  },

  /** Function that opens a board in the page. */
  board: async ({ page, server, watch }, use) => {
    watch(page);
    await use(async (spec, options) => {
      const address = await server(spec, options);
      await open(page, address);
      return address;
    });
  },
});

/** Opens an address and waits for the game. */
export async function open(page, address) {
  await page.goto(address);
  await expect(page.locator("body")).toHaveAttribute("data-connected", "true");
  await expect(page.locator("body")).toHaveAttribute("data-rev", /\d+/);
}

/** Element of a vertex. */
export function vertex(page, alias) {
  return page.locator(`[data-vertex="${alias}"]`);
}

/** Waits until the engine has answered. */
export async function rested(page) {
  await expect(page.locator("body")).toHaveAttribute("data-thinking", "");
}

/** Acts, and waits until the game has changed. */
export async function changed(page, act) {
  const body = page.locator("body");
  const before = await body.getAttribute("data-rev");
  await act();
  await expect(body).not.toHaveAttribute("data-rev", before);
}

/** Plays at a point by mouse, and waits for the stone. */
export async function play(page, alias, color) {
  await rested(page);
  await vertex(page, alias).click();
  await expect(vertex(page, alias)).toHaveAttribute("data-stone", color);
}

/** Passes until the game is over. */
export async function finish(page, pass = () => page.locator('[data-action="pass"]').click()) {
  for (let turn = 0; turn < 400; turn++) {
    await rested(page);
    const status = await page.locator("#status").innerText();
    if (/wins|draw|over|Result/.test(status)) return;
    const accept = page.locator("[data-accept]");
    if ((await accept.count()) > 0) await accept.first().click();
    else await changed(page, pass);
  }
  throw new Error("the game does not end");
}

/** First legal empty vertex in a fixed pseudo-random order, or null. */
export function someLegal(page, seed) {
  return page.evaluate((number) => {
    const legal = [...document.querySelectorAll('[data-vertex][data-legal="true"]')];
    if (legal.length === 0) return null;
    return legal[(number * 7919) % legal.length].getAttribute("data-vertex");
  }, seed);
}

/** Answer of a GTP line, from the console pane. */
export async function gtp(page, line) {
  await page.locator("#tab-console").click();
  const output = page.locator(".console");
  const before = await output.innerText();
  await page.locator("#console-line").fill(line);
  await page.locator("#console-line").press("Enter");
  await expect
    .poll(async () => (await output.innerText()).length)
    .toBeGreaterThan(before.length + line.length + 4);
  const text = (await output.innerText()).slice(before.length);
  return text.slice(text.indexOf("\n") + 1).trim();
}

/** Position as text, from the elements of the page. */
export function position(page, attribute = "data-vertex") {
  return page.evaluate((name) => {
    const signs = { empty: ".", black: "X", white: "O", red: "3", blue: "4", green: "5" };
    const found = {};
    for (const element of document.querySelectorAll(`[${name}]`)) {
      found[element.getAttribute(name)] = signs[element.getAttribute("data-stone")] ?? "?";
    }
    return found;
  }, attribute);
}

/** Download that a button of the dialog starts, such as `game-json`. */
export async function exported(page, name) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`[data-export="${name}"]`).click(),
  ]);
  return download;
}

/** Text of a download. */
export async function content(download) {
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Fails if axe-core finds a violation. */
export async function accessible(page, name) {
  const result = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const found = result.violations.map(({ id, nodes }) => ({
    state: name,
    id,
    nodes: nodes.map((node) => node.html.slice(0, 160)),
  }));
  expect(found).toEqual([]);
}
