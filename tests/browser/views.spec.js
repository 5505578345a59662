/** Views: endless scrolling, rotation, drawing of graphs, and themes. */

import { accessible, expect, play, rested, test, vertex } from "./fixtures.js";

/** Drags the board by mouse from its middle. */
async function drag(page, dx, dy) {
  const box = await page.locator("#drawing").boundingBox();
  const [x, y] = [box.x + box.width / 2 + 11, box.y + box.height / 2 + 13];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 5 });
  await page.mouse.move(x + dx, y + dy, { steps: 5 });
  await page.mouse.up();
  await expect(page.locator("#drawing")).not.toHaveAttribute("data-moving");
}

test("coordinates at the edges of the window have a ground of their own", async ({
  page,
  board,
}) => {
  await board("torus:7x7", ["--playouts", "2000"]);
  await page.locator('[data-action="analyze"]').click();
  await expect(page.locator(".candidate").first()).toBeVisible();
  await expect(page.locator(".rulers .strip")).toHaveCount(4);
  // Letters lie within the strips, above everything else.
  const outside = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll(".strip")].map((one) =>
      one.getBoundingClientRect(),
    );
    const texts = [...document.querySelectorAll(".rulers text")];
    const inside = (a, b) =>
      a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
    const isCovered = (text) => boxes.some((box) => inside(text.getBoundingClientRect(), box));
    return texts.length === 0 ? ["no texts"] : texts.filter((one) => !isCovered(one)).length;
  });
  expect(outside).toBe(0);
  // The flat view has room for the letters beside the board.
  await page.keyboard.press("v");
  await expect(page.locator("#drawing")).toHaveAttribute("data-view", "flat");
  await expect(page.locator(".strip")).toHaveCount(0);
});

for (const [spec, mirrored] of [
  ["torus:7x7", false],
  ["klein:6x5", true],
]) {
  test(`copies on ${spec} continue past every seam`, async ({ page, board }) => {
    await board(spec);
    await expect(page.locator("#drawing")).toHaveAttribute("data-view", "wrap");
    expect(await page.locator("[data-image]").count()).toBeGreaterThan(20);
    const image = page.locator('[data-image="A1"]').first();
    await rested(page);
    const box = await image.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(vertex(page, "A1")).toHaveAttribute("data-stone", "black");
    for (const copy of await page.locator('[data-image="A1"]').all()) {
      await expect(copy).toHaveAttribute("data-stone", "black");
    }
    const tiles = await page
      .locator('[data-image="A1"]')
      .evaluateAll((list) => list.map((one) => one.getAttribute("data-tile")));
    expect(new Set(tiles).size).toBe(tiles.length);
    // Copies follow the table of the surface: mirrored rows in tiles with odd i.
    const wrong = await page.evaluate((flips) => {
      const [, w, h] = /:(\d+)x(\d+)/.exec(document.title).map(Number);
      const all = [...document.querySelectorAll("[data-tile]")].map((one) => {
        const alias = one.getAttribute("data-vertex") ?? one.getAttribute("data-image");
        const [i, j] = one.getAttribute("data-tile").split(",").map(Number);
        const [x, y] = [alias.charCodeAt(0) - 65, Number(alias.slice(1)) - 1];
        return {
          X: x + i * w,
          Y: j * h + (flips && i % 2 !== 0 ? h - 1 - y : y),
          px: Number(one.getAttribute("cx")),
          py: Number(one.getAttribute("cy")),
        };
      });
      const [a] = all;
      const b = all.find((one) => one.X !== a.X);
      const step = (b.px - a.px) / (b.X - a.X);
      return all.filter(
        (one) =>
          Math.abs(one.px - a.px - step * (one.X - a.X)) > 1 ||
          Math.abs(one.py - a.py + step * (one.Y - a.Y)) > 1,
      ).length;
    }, mirrored);
    expect(wrong).toBe(0);
    const world = page.locator(".world");
    const before = await world.getAttribute("transform");
    await drag(page, 240, -130);
    await expect(world).not.toHaveAttribute("transform", before);
    await rested(page);
    await expect(page.locator('[data-vertex="A1"]')).toHaveCount(1);
    await expect(vertex(page, "A1")).toHaveAttribute("data-stone", "black");
  });
}

test("a dodecahedron rotates, and a front vertex takes a click", async ({ page, board }) => {
  await board("dodecahedron");
  await page.locator("#view-button").click();
  const drawing = page.locator("#drawing");
  await expect(drawing).toHaveAttribute("data-view", "space");
  const start = await drawing.getAttribute("data-q");
  await drag(page, 120, 40);
  const turned = await drawing.getAttribute("data-q");
  expect(turned).not.toBe(start);
  const front = page.locator('[data-vertex]:not([data-hidden="true"])').last();
  const alias = await front.getAttribute("data-vertex");
  await play(page, alias, "black");
  await accessible(page, "space");
});

test("a closed loop of the mouse returns the rotation", async ({ page, board }) => {
  await board("cube");
  await page.locator("#view-button").click();
  const drawing = page.locator("#drawing");
  const box = await drawing.boundingBox();
  const [x, y] = [box.x + box.width / 2 + 40, box.y + box.height / 2 - 30];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y, { steps: 3 });
  await expect(drawing).toHaveAttribute("data-moving", "true");
  const numbers = async () => (await drawing.getAttribute("data-q")).split(" ").map(Number);
  // The last step of the pointer is drawn one frame later.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  const start = await numbers();
  const back = async () => (await numbers()).every((part, i) => Math.abs(part - start[i]) < 1e-6);
  for (const [dx, dy] of [
    [90, 20],
    [60, 110],
    [-50, 60],
  ]) {
    await page.mouse.move(x + dx, y + dy, { steps: 4 });
    await expect.poll(back).toBe(false);
  }
  await page.mouse.move(x + 20, y, { steps: 4 });
  await expect.poll(back).toBe(true);
  await page.mouse.up();
});

for (const spec of [
  "grid:9",
  "petersen",
  "hexhex:4",
  "c60",
  "grid3d:3x3x3",
  "penrose:4",
  "tree:3,2",
]) {
  test(`the drawing of ${spec} hits the vertex at every center`, async ({ page, board }) => {
    await board(spec);
    await expect(page.locator("[data-vertex]")).not.toHaveCount(0);
    const wrong = await page.evaluate(() => {
      const all = [...document.querySelectorAll("[data-vertex]")];
      return all.filter((one) => {
        const box = one.getBoundingClientRect();
        const found = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return found !== one;
      }).length;
    });
    expect(wrong).toBe(0);
    const close = await page.evaluate(() => {
      const all = [...document.querySelectorAll("[data-vertex]")].map((one) => ({
        x: Number(one.getAttribute("cx")),
        y: Number(one.getAttribute("cy")),
        r: Number(one.getAttribute("r")),
      }));
      return all.some((a, i) =>
        all.slice(i + 1).some((b) => Math.hypot(a.x - b.x, a.y - b.y) < a.r + b.r),
      );
    });
    expect(close).toBe(false);
  });
}

test("themes and names change by key, and every theme is accessible", async ({ page, board }) => {
  await board("petersen");
  for (const theme of ["dark", "paper", "light"]) {
    await page.keyboard.press("t");
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await accessible(page, theme);
  }
  await expect(page.locator(".names text").first()).toHaveText(/[A-Z]\d/);
  for (let press = 0; press < 3; press++) await page.keyboard.press("c");
  await expect(page.locator(".names text")).toHaveCount(0);
});

test("nothing moves by itself", async ({ page, board }) => {
  await board("cube");
  await page.locator("#view-button").click();
  await expect(page.locator("#drawing")).toHaveAttribute("data-view", "space");
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  const changes = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const root = document.getElementById("drawing");
        let [frames, found] = [0, 0];
        const observer = new MutationObserver((list) => (found += list.length));
        observer.observe(root, { attributes: true, childList: true, subtree: true });
        const frame = () => {
          frames += 1;
          if (frames < 60) requestAnimationFrame(frame);
          else resolve(found);
        };
        requestAnimationFrame(frame);
      }),
  );
  expect(changes).toBe(0);
});
