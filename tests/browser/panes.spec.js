/** New game, graphs drawn by hand, analysis, links, console, and set-up. */

import {
  accessible,
  changed,
  content,
  expect,
  exported,
  finish,
  gtp,
  open,
  play,
  rested,
  someLegal,
  test,
  vertex,
} from "./fixtures.js";

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

test("fields for the arguments of a family and the spec follow each other", async ({
  page,
  board,
}) => {
  await board("grid:5");
  await page.locator('[data-action="new"]').click();
  const [spec, note] = [page.locator("#spec"), page.locator("#spec-note")];
  const form = page.locator("#family-form");
  const field = (name) => form.locator(`[data-argument="${name}"]`);
  await expect(field("W")).toHaveValue("5");
  const choose = (name) =>
    page.locator(".gallery button", { hasText: new RegExp(`^${name}$`) }).click();
  await choose("tree");
  await expect(spec).toHaveValue("tree:3,2");
  await expect(page.getByLabel("Children per inner vertex (B)")).toHaveValue("3");
  const height = page.getByLabel("Height (H)");
  await expect(height).toHaveValue("2");
  await height.fill("3");
  await expect(spec).toHaveValue("tree:3,3");
  await expect(note).toContainText("40 points, 39 edges");
  await accessible(page, "arguments");
  await height.fill("many");
  await expect(spec).toHaveValue("tree:3,many");
  await expect(note).toHaveClass("error");
  await expect(note).toContainText("expected tree:B,H");
  await expect(page.locator("#start")).toBeDisabled();
  await expect(height).toHaveValue("many");
  // A spec written by hand changes the fields, and wrong ones keep them.
  await spec.fill("Torus:7");
  await expect(field("H")).toHaveValue("7");
  await spec.fill("torus:4x6");
  await expect(field("W")).toHaveValue("4");
  await expect(field("H")).toHaveValue("6");
  await spec.fill("torus:4x");
  await expect(note).toHaveClass("error");
  await expect(field("H")).toHaveValue("6");
  await spec.fill("path:2+path:3");
  await expect(form).toBeHidden();
  // Optional arguments, words, and operators.
  await choose("delaunay");
  await field("SEED").fill("");
  await expect(spec).toHaveValue("delaunay:60");
  await choose("space");
  await field("pairs").check();
  await field("edges").uncheck();
  await expect(spec).toHaveValue("space:(grid:3x3),pairs");
  await spec.fill("product((tree:2,1),cycle:4)");
  await expect(page.getByLabel("First graph (SPEC)")).toHaveValue("(tree:2,1)");
  await page.getByLabel("Second graph (SPEC)").fill("path:2");
  await expect(spec).toHaveValue("product((tree:2,1),path:2)");
  await expect(note).toContainText("6 points, 7 edges");
  await choose("petersen");
  await expect(note).toContainText("10 points");
  await expect(form).toBeHidden();
  await spec.fill("path:2");
  await expect(note).toContainText("2 points, 1 edge");
  await expect(note).not.toContainText("edges");
  await page.locator("#start").click();
  await expect(page.locator("[data-vertex]")).toHaveCount(2);
});

test("every family of the gallery has a field for each argument", async ({ page, board }) => {
  await board("grid:5");
  await page.locator('[data-action="new"]').click();
  const buttons = page.locator(".gallery button");
  await expect.poll(() => buttons.count()).toBeGreaterThan(50);
  const [spec, form] = [page.locator("#spec"), page.locator("#family-form")];
  for (const button of await buttons.all()) {
    await button.click();
    const example = await button.getAttribute("data-example");
    await expect(spec).toHaveValue(example);
    if (!/[:(]/.test(example)) {
      await expect(form).toBeHidden();
      continue;
    }
    // The same value again leaves the spec as it is.
    const input = form.locator('input[type="text"]').last();
    await input.fill(await input.inputValue());
    await expect(spec).toHaveValue(example);
  }
});

test.describe("narrow window", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the fields of a family fit", async ({ page, board }) => {
    await board("grid:5");
    await page.locator('[data-action="new"]').click();
    await page.locator(".gallery button", { hasText: /^thinned$/ }).click();
    const inputs = page.locator("#family-form input");
    await expect(inputs).toHaveCount(4);
    for (const input of await inputs.all()) {
      const box = await input.boundingBox();
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(390);
    }
    await expect(inputs.first()).toBeInViewport();
    await accessible(page, "arguments in a narrow window");
  });
});

test("the choice of a team fits into its field", async ({ page, board }) => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await board("grid:5");
  await page.locator('[data-action="new"]').click();
  await page.locator("#colors").selectOption("4");
  const team = page.getByLabel("Team of blue");
  await expect(team).toHaveValue("");
  // Without a limit, the field is as wide as its longest choice and the arrow.
  const [width, needed] = await team.evaluate((field) => {
    const width = field.clientWidth;
    field.style.width = "max-content";
    const needed = field.clientWidth;
    field.style.width = "";
    return [width, needed];
  });
  expect(width).toBeGreaterThanOrEqual(needed);
});

test("a graph drawn by hand becomes a board for a whole game", async ({ page, board }) => {
  await board("grid:5");
  await page.locator('[data-action="new"]').click();
  await page.getByRole("button", { name: "Draw" }).click();
  const pad = await page.locator(".pad-board").boundingBox();
  const at = (x, y) => [pad.x + 44 * (x + 1), pad.y + pad.height - 44 * (y + 1)];
  const sketch = async (vertices, edges) => {
    for (const place of vertices) await page.mouse.click(...place);
    for (const [from, to] of edges) {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      await page.mouse.up();
    }
  };
  const [a, b, c, d, e] = [at(1, 1), at(3, 1), at(2, 3), at(5, 3), at(5, 1)];
  await sketch(
    [a, b, c],
    [
      [a, b],
      [b, c],
    ],
  );
  const spec = page.locator("#spec");
  await expect(spec).toHaveValue("edges:a@1/1,b@3/1,c@2/3,a-b,b-c");
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await expect(spec).toHaveValue("edges:a@1/1,b@3/1,c@2/3,a-b");
  await page.getByRole("button", { name: "Redo", exact: true }).last().click();
  await expect(page.locator("#spec-note")).toContainText("3 points, 2 edges");
  await expect(page.locator("#family-form")).toBeHidden();
  // A square with one tail leaves room for a few moves.
  await sketch(
    [d, e],
    [
      [c, d],
      [d, e],
      [e, b],
    ],
  );
  await expect(spec).toHaveValue("edges:a@1/1,b@3/1,c@2/3,d@5/3,e@5/1,a-b,b-c,c-d,d-e,b-e");
  await expect(page.locator("#spec-note")).toContainText("5 points, 5 edges");
  await page.locator("#start").click();
  await expect(page.locator("[data-vertex]")).toHaveCount(5);
  // The vertex b has three liberties, so the engine's answer cannot capture it.
  await rested(page);
  const first = page.locator('[data-vertex][aria-label*="(b)"]');
  const alias = await first.getAttribute("data-vertex");
  await first.click();
  await expect(vertex(page, alias)).toHaveAttribute("data-stone", "black");
  await rested(page);
  const second = await someLegal(page, 1);
  await changed(page, () => vertex(page, second).click());
  await finish(page);
  await expect(page.locator("#status")).toContainText(/wins by \d|draw/);
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
  // The figures stay until the position changes.
  const pane = page.locator("#pane-analysis");
  await expect(pane).toContainText("Stopped. Black: win rate");
  await expect(pane.locator("tbody tr").first()).toBeVisible();
  await page.locator('[data-action="pass"]').click();
  await expect(pane.locator("tbody tr")).toHaveCount(0);
});

test("a candidate is played by keyboard while its figures change", async ({ page, board }) => {
  await board("grid:5", ["--playouts", "2000"]);
  await page.locator('[data-action="analyze"]').click();
  await page.locator("#tab-analysis").click();
  const first = page.locator("#pane-analysis tbody button").first();
  await expect(first).toBeVisible();
  await page.locator("#pane-analysis .scroll").focus();
  await page.keyboard.press("Tab");
  const alias = await page.evaluate(() => document.activeElement?.textContent);
  const visits = page.locator("#pane-analysis tbody tr").first().locator("td").nth(3);
  const before = await visits.textContent();
  await expect.poll(() => visits.textContent()).not.toBe(before);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(alias);
  await page.keyboard.press("Enter");
  await expect(vertex(page, alias)).toHaveAttribute("data-stone", "black");
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
  const download = await exported(page, "game-json");
  expect(download.suggestedFilename()).toMatch(/\.json$/);
});

test("the list of keys is accessible", async ({ page, board }) => {
  await board("grid:5");
  await page.keyboard.press("?");
  await expect(page.locator("#dialog-keys")).toBeVisible();
  await accessible(page, "keys");
});

test("a game that was released is named, and its link opens it again", async ({ page, board }) => {
  await board("grid:5");
  await play(page, "C3", "black");
  await rested(page);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain("moves=C3");
  await page.evaluate(() => sessionStorage.setItem("omnigo-game", "99"));
  await page.reload();
  await expect(page.locator("#status")).toContainText("Game 99 was released");
  await expect(vertex(page, "C3")).toHaveAttribute("data-stone", "black");
  expect(await page.evaluate(() => sessionStorage.getItem("omnigo-game"))).toBe("2");
});

test("a hidden window leaves the analysis of another one alone", async ({
  page,
  board,
  context,
}) => {
  const address = await board("grid:5", ["--playouts", "100000"]);
  const button = page.locator('[data-action="analyze"]');
  await button.click();
  await expect(page.locator(".candidate").first()).toBeVisible();
  const other = await context.newPage();
  await open(other, address);
  const hide = (window) =>
    window.evaluate(() => {
      Object.defineProperty(document, "hidden", { value: true, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
  await hide(other);
  // Its answer comes after everything that the window sent before.
  expect(await gtp(other, "name")).toContain("omnigo");
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await hide(page);
  await expect(button).toHaveAttribute("aria-pressed", "false");
});

test("spectators read comments and cannot type them", async ({ page, board, browser, watch }) => {
  const address = await board("grid:5");
  await page.locator('textarea[maxlength="65000"]').fill("a comment");
  await page.locator("#more-button").click();
  await page.locator("summary", { hasText: "Links for other people" }).click();
  const link = await page.getByLabel("Link for spectators").inputValue();
  const other = await (await browser.newContext()).newPage();
  watch(other);
  await open(other, new URL(new URL(link).pathname, address).href);
  const comment = other.locator('textarea[maxlength="65000"]');
  await expect(comment).toHaveValue("a comment");
  await expect(comment).toHaveJSProperty("readOnly", true);
});

test("the form offers no more handicap stones than the board has", async ({ page, board }) => {
  await board("grid:9");
  await page.locator('[data-action="new"]').click();
  await expect(page.locator("#handicap")).toHaveAttribute("max", "9");
  await page.locator("#spec").fill("grid:7");
  await expect(page.locator("#spec-note")).toContainText("49 points");
  await expect(page.locator("#handicap")).toHaveAttribute("max", /^[4-9]$/);
});

test("variations travel in SGF", async ({ page, board }) => {
  await board("grid:5");
  const text = "(;SZ[5]C[start];B[cc](;W[bb]C[main])(;W[dd]C[also];B[ee]))";
  await page.locator("#more-button").click();
  const file = { name: "game.sgf", mimeType: "application/x-go-sgf", buffer: Buffer.from(text) };
  await page.locator("#file").setInputFiles(file);
  await expect(page.locator(".tree-svg .node")).toHaveCount(5);
  await expect(page.locator('.node[aria-current="true"]')).toHaveAttribute("aria-label", /main/);
  await page.locator("#more-button").click();
  const saved = await content(await exported(page, "game-sgf"));
  for (const part of ["C[start]", "C[main]", "C[also]", ";B[ee]"]) expect(saved).toContain(part);
});

test("variations travel in JSON on any board", async ({ page, board }) => {
  await board("torus:3x3");
  const tree = [
    { comment: "start" },
    { parent: 0, move: ["black", "A1"] },
    { parent: 1, move: ["white", "B2"], comment: "main" },
    { parent: 1, move: ["white", "C3"], name: "also" },
  ];
  const game = {
    kind: "game",
    graph: "torus:4x4",
    ruleset: "tromp-taylor",
    moves: [
      ["black", "A1"],
      ["white", "C3"],
    ],
    tree,
  };
  await page.locator("#more-button").click();
  const buffer = Buffer.from(JSON.stringify(game));
  const file = { name: "game.json", mimeType: "application/json", buffer };
  await page.locator("#file").setInputFiles(file);
  await expect(page.locator(".tree-svg .node")).toHaveCount(4);
  await expect(page.locator('.node[aria-current="true"]')).toHaveAttribute("aria-label", /also/);
  await page.locator("#more-button").click();
  const saved = await content(await exported(page, "game-json"));
  expect(JSON.parse(saved).tree).toEqual(tree);
});

test("a graph file becomes a board that a link can hold", async ({ page, board }) => {
  await board("grid:5");
  await page.locator("#more-button").click();
  const buffer = Buffer.from("a b\nb c\nc a\n");
  const file = { name: "small.edgelist", mimeType: "text/plain", buffer };
  await page.locator("#file").setInputFiles(file);
  await expect(page.locator("[data-vertex]")).toHaveCount(3);
  await expect.poll(() => page.evaluate(() => location.hash)).toContain("#board=edges:a");
});

test("a position is saved as PDF", async ({ page, board }) => {
  await board("grid:5");
  await page.locator("#more-button").click();
  for (const name of ["position", "game"]) {
    const download = await exported(page, `${name}-pdf`);
    expect(download.suggestedFilename()).toBe(`${name}.pdf`);
  }
});

test("the page ends the program after a question", async ({ page, board }) => {
  await board("grid:5");
  await page.locator("#more-button").click();
  await page.locator("#quit").click();
  await expect(page.locator("#quit")).toContainText("all its games");
  await page.locator("#quit").click();
  await expect(page.locator("#banner")).toContainText("omnigo has ended");
  await expect(page.locator("body")).toHaveAttribute("data-connected", "false");
});
