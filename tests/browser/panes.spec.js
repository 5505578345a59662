/** New game, graphs drawn by hand, analysis, links, console, and set-up. */

import { accessible, changed, expect, gtp, play, rested, test, vertex } from "./fixtures.js";

test("a spec is validated while typing, and a new game starts from it", async ({ page, board }) => {
  await board("grid:5");
  await page.locator('[data-action="new"]').click();
  const spec = page.locator("#spec");
  await spec.fill("torus:5x");
  await expect(page.locator("#spec-note")).toHaveClass("error");
  await spec.fill("file:/etc/passwd");
  await expect(page.locator("#spec-note")).toContainText("the page opens no files");
  await expect(page.locator("#spec-note")).toHaveClass("error");
  await spec.fill("petersen");
  await expect(page.locator("#spec-note")).toContainText("10 points, 15 edges");
  await accessible(page, "new game");
  await page.locator("#start").click();
  await expect(page.locator("[data-vertex]")).toHaveCount(10);
});

test("the gallery shows families with pictures", async ({ page, board }) => {
  await board("grid:5");
  await page.locator('[data-action="new"]').click();
  const cube = page.locator(".gallery button", { hasText: /^cube$/ });
  await expect.poll(() => page.locator(".gallery button").count()).toBeGreaterThan(9);
  await page.locator("#gallery-search").fill("cube");
  await expect(cube.locator("img")).toHaveAttribute("src", /^blob:/);
  await cube.click();
  await expect(page.locator("#spec-note")).toContainText("8 points");
});

test("a graph drawn by hand becomes a board", async ({ page, board }) => {
  await board("grid:5");
  await page.locator('[data-action="new"]').click();
  await page.getByRole("button", { name: "Draw" }).click();
  const pad = await page.locator(".pad-board").boundingBox();
  const at = (x, y) => [pad.x + 44 * (x + 1), pad.y + pad.height - 44 * (y + 1)];
  for (const [x, y] of [
    [1, 1],
    [3, 1],
    [2, 3],
  ]) {
    await page.mouse.click(...at(x, y));
  }
  for (const [from, to] of [
    [at(1, 1), at(3, 1)],
    [at(3, 1), at(2, 3)],
  ]) {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
  }
  const spec = page.locator("#spec");
  await expect(spec).toHaveValue("edges:a@1/1,b@3/1,c@2/3,a-b,b-c");
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await expect(spec).toHaveValue("edges:a@1/1,b@3/1,c@2/3,a-b");
  await page.getByRole("button", { name: "Redo", exact: true }).last().click();
  await expect(page.locator("#spec-note")).toContainText("3 points, 2 edges");
  await page.locator("#start").click();
  await expect(page.locator("[data-vertex]")).toHaveCount(3);
  await rested(page);
});

test("analysis shows candidates until it is turned off", async ({ page, board }) => {
  await board("grid:5", ["--playouts", "2000"]);
  const button = page.locator('[data-action="analyze"]');
  await button.click();
  await expect(page.locator(".candidate").first()).toBeVisible();
  await page.locator("#tab-analysis").click();
  await expect(page.locator("#pane-analysis tbody tr").first()).toBeVisible();
  await accessible(page, "analysis");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator(".candidate")).toHaveCount(0);
});

test("copy link has no token and opens the same position", async ({
  page,
  board,
  context,
  browser,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const address = await board("grid:5");
  await play(page, "C3", "black");
  await rested(page);
  await page.locator("#share-button").click();
  await expect(page.locator("#status")).toContainText("clipboard");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const token = new URL(address).pathname.replaceAll("/", "");
  expect(link).not.toContain(token);
  expect(link).toContain("/#board=grid:5x5&");
  // The link opens a game of its own, because the present one is elsewhere.
  await page.locator('[data-action="undo"]').click();
  await expect(vertex(page, "C3")).toHaveAttribute("data-stone", "empty");
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${address}${new URL(link).hash}`);
  await expect(vertex(other, "C3")).toHaveAttribute("data-stone", "black");
  await expect(vertex(page, "C3")).toHaveAttribute("data-stone", "empty");
});

test("a wrong link in the address is named", async ({ page, server, watch }) => {
  const address = await server("grid:5");
  watch(page);
  await page.goto(`${address}#board=nonsense`);
  await expect(page.locator("#status")).toContainText("nonsense");
  await expect(page.locator("[data-vertex]")).toHaveCount(25);
});

test("the console refuses files and answers questions", async ({ page, board }) => {
  await board("grid:5");
  expect(await gtp(page, "name")).toContain("omnigo");
  for (const line of [
    "loadsgf x.sgf",
    "write_svg x.svg",
    "set_graph file:x",
    "set_graph line(file:x)",
  ]) {
    expect(await gtp(page, line)).toMatch(/^\?/);
  }
});

test("a position is set up by clicks", async ({ page, board }) => {
  await board("grid:5");
  await page.locator("#more-button").click();
  await page.locator("#setup-button").click();
  await vertex(page, "B2").click();
  await page.getByLabel("Black", { exact: true }).press("ArrowRight");
  await expect(page.getByLabel("White", { exact: true })).toBeChecked();
  await vertex(page, "C3").click();
  await accessible(page, "set-up");
  await page.locator("#setup-start").click();
  await expect(page.locator("#setup")).toBeHidden();
  await expect(vertex(page, "B2")).toHaveAttribute("data-stone", "black");
  await expect(vertex(page, "C3")).toHaveAttribute("data-stone", "white");
});

test("players agree on dead stones under chinese rules", async ({ page, board }) => {
  await board("grid:5", ["--ruleset", "chinese"]);
  await play(page, "C3", "black");
  await rested(page);
  for (let turn = 0; turn < 60 && (await page.locator("#scoring").isHidden()); turn++) {
    await changed(page, () => page.keyboard.press("p"));
    await rested(page);
  }
  await expect(page.locator("#scoring")).toContainText("Dead stones");
  await accessible(page, "scoring");
  await page.locator("[data-accept]").first().click();
  await expect(page.locator("[data-accept]")).toHaveCount(0);
  await expect(page.locator("#scoring")).toContainText(/Result|The engine holds /);
});

test("exact answers of small boards", async ({ page, board }) => {
  await board("path:3");
  await page.locator('[data-action="solve"]').click();
  await expect(page.locator("#exact-answer")).toHaveText(/^Solve: [BW]\+\d/);
});

test("an export is saved by the browser", async ({ page, board }) => {
  await board("grid:5");
  await page.locator("#more-button").click();
  await accessible(page, "more");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator('[data-export="game-json"]').click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.json$/);
});

test("the list of keys is accessible", async ({ page, board }) => {
  await board("grid:5");
  await page.keyboard.press("?");
  await expect(page.locator("#dialog-keys")).toBeVisible();
  await accessible(page, "keys");
});
