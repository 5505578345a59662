/** Complete games by mouse, by keyboard, and on a phone. */

import {
  accessible,
  changed,
  expect,
  finish,
  gtp,
  open,
  play,
  position,
  rested,
  someLegal,
  test,
  vertex,
} from "./fixtures.js";

const BOARDS = [
  ["grid:9x9", 81],
  ["torus:7x7", 49],
  ["petersen", 10],
  ["cube", 8],
  ["edges:a-b,b-c,c-d,d-a,a@0/0,b@1/0,c@1/1,d@0/1", 4],
  ["space:(grid:3x3),edges", 21],
];
/** Number of stones that the person places before passing. */
const STONES = 6;

for (const [spec, vertices] of BOARDS) {
  test(`a game by mouse on ${spec}`, async ({ page, board }) => {
    await board(spec);
    await expect(page.locator("[data-vertex]")).toHaveCount(vertices);
    const point = spec.startsWith("space:") ? "data-point" : "data-vertex";
    for (let turn = 0; turn < STONES; turn++) {
      await rested(page);
      const alias = await someLegal(page, turn + 1);
      if (alias === null) break;
      await changed(page, () => vertex(page, alias).click());
    }
    await rested(page);
    const text = (await gtp(page, "position")).replace(/^= ?/, "");
    const shown = Object.values(await position(page, point));
    expect(shown.sort().join("")).toBe([...text].sort().join(""));
    await finish(page);
    await accessible(page, "over");
  });
}

test("stones in the page are those of the engine, vertex by vertex", async ({ page, board }) => {
  await board("grid:5");
  for (const alias of ["C3", "B2"]) await play(page, alias, "black");
  await rested(page);
  const text = (await gtp(page, "position")).replace(/^= ?/, "");
  const names = (await gtp(page, "list_vertices")).replace(/^= ?/, "").split("\n");
  const shown = await position(page);
  names.forEach((line, index) => expect(shown[line.split(" ")[0]]).toBe(text[index]));
});

test("the ghost stone follows the mouse", async ({ page, board }) => {
  await board("grid:5");
  for (const alias of ["C3", "D4"]) {
    await vertex(page, alias).hover();
    await expect(vertex(page, alias)).toHaveAttribute("data-ghost", "black");
    await expect(page.locator("[data-ghost]")).toHaveCount(1);
  }
});

test("refusals name the reason and change nothing", async ({ page, board }) => {
  await board("grid:9");
  await play(page, "E5", "black");
  await rested(page);
  const rev = await page.locator("body").getAttribute("data-rev");
  await vertex(page, "E5").click();
  await expect(page.locator("#status")).toContainText("occupied");
  await expect(page.locator("body")).toHaveAttribute("data-rev", rev);
});

test("undo takes back both moves, redo and goto bring them again", async ({ page, board }) => {
  await board("petersen");
  const first = await someLegal(page, 3);
  await play(page, first, "black");
  await rested(page);
  await page.locator('[data-action="undo"]').click();
  await expect(vertex(page, first)).toHaveAttribute("data-stone", "empty");
  await page.locator('[data-action="redo"]').click();
  await expect(vertex(page, first)).toHaveAttribute("data-stone", "black");
  await page.locator('[data-action="resign"]').click();
  await expect(page.locator("#status")).toContainText("wins by resignation");
});

test("a game by keyboard", async ({ page, board }) => {
  await board("grid:5");
  await expect(page.locator('[data-vertex][tabindex="0"]')).toHaveCount(1);
  await page.locator('[data-vertex][tabindex="0"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowUp");
  const alias = await page.evaluate(() => document.activeElement?.getAttribute("data-vertex"));
  expect(alias).toBe("B2");
  await page.keyboard.press("Enter");
  await expect(vertex(page, "B2")).toHaveAttribute("data-stone", "black");
  await rested(page);
  const free = await someLegal(page, 1);
  await page.keyboard.press("/");
  await page.keyboard.type(free);
  await changed(page, () => page.keyboard.press("Enter"));
  await expect(vertex(page, free)).toHaveAttribute("data-stone", "black");
  await finish(page, () => page.keyboard.press("p"));
  await expect(page.locator("#status")).toContainText(/wins|draw/);
});

test("the keyboard stays on the board when the view changes", async ({ page, board }) => {
  await board("torus:4x4");
  await page.locator('[data-vertex][tabindex="0"]').focus();
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("data-vertex") ?? "none");
  await page.keyboard.press("ArrowRight");
  expect(await focused()).toBe("B1");
  await expect(page.locator("#drawing")).toHaveAttribute("data-view", "wrap");
  await page.keyboard.press("v");
  await expect(page.locator("#drawing")).toHaveAttribute("data-view", "flat");
  await expect.poll(focused).toBe("B1");
});

test.describe("phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test("the first tap shows a ghost, the second plays", async ({ page, board }) => {
    await board("grid:19");
    const body = page.locator("body");
    const rev = await body.getAttribute("data-rev");
    await vertex(page, "D4").tap();
    await expect(vertex(page, "D4")).toHaveAttribute("data-ghost", "black");
    await expect(vertex(page, "D4")).toHaveAttribute("data-stone", "empty");
    await expect(body).toHaveAttribute("data-rev", rev);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      360,
    );
    await vertex(page, "D4").tap();
    await expect(vertex(page, "D4")).toHaveAttribute("data-stone", "black");
    await accessible(page, "phone");
  });

  test("a phone held sideways has the panel beside the board", async ({ page, board }) => {
    await page.setViewportSize({ width: 700, height: 340 });
    await board("grid:19");
    const [frame, panel] = [page.locator("#board"), page.locator(".panel")];
    const [left, right] = [await frame.boundingBox(), await panel.boundingBox()];
    expect(left.height).toBeGreaterThan(270);
    expect(left.width).toBeGreaterThan(left.height);
    expect(left.y + left.height).toBeLessThanOrEqual(340);
    expect(right.x).toBeGreaterThanOrEqual(left.x + left.width);
    expect(right.x + right.width).toBeLessThanOrEqual(700);
    await expect(page.locator('[data-action="pass"]')).toBeInViewport();
    await expect(page.locator("#status")).toBeInViewport();
    await vertex(page, "D4").tap();
    await expect(page.locator("#confirm-yes")).toBeInViewport();
    await page.locator("#confirm-yes").tap();
    await expect(vertex(page, "D4")).toHaveAttribute("data-stone", "black");
    await accessible(page, "phone held sideways");
  });

  test("a drag moves the ghost, and two fingers zoom", async ({ page, board, context }) => {
    await board("grid:19");
    const middle = async (alias) => {
      const box = await vertex(page, alias).boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const client = await context.newCDPSession(page);
    const touch = (type, ...touchPoints) =>
      client.send("Input.dispatchTouchEvent", { type, touchPoints });
    const [from, to] = [await middle("D4"), await middle("H9")];
    const rev = await page.locator("body").getAttribute("data-rev");
    await touch("touchStart", from);
    await expect(page.locator("#lens")).toBeVisible();
    // Small steps, as of a finger: the browser takes a jump for a fling, and ignores the next tap.
    for (let step = 1; step <= 12; step++) {
      const share = step / 12;
      await touch("touchMove", {
        x: from.x + share * (to.x - from.x),
        y: from.y + share * (to.y - from.y),
      });
      await expect(page.locator("#lens")).toBeVisible();
    }
    await touch("touchEnd");
    await expect(vertex(page, "H9")).toHaveAttribute("data-ghost", "black");
    await expect(page.locator("body")).toHaveAttribute("data-rev", rev);
    await page.locator("#confirm-no").click();
    await expect(page.locator("[data-ghost]")).toHaveCount(0);
    const world = page.locator(".world");
    const before = await world.getAttribute("transform");
    await touch("touchStart", { x: 150, y: 200, id: 0 }, { x: 200, y: 200, id: 1 });
    await touch("touchMove", { x: 120, y: 200, id: 0 }, { x: 230, y: 200, id: 1 });
    await touch("touchEnd");
    await expect(world).not.toHaveAttribute("transform", before);
    await expect(page.locator("[data-ghost]")).toHaveCount(0);
    await expect(page.locator("body")).toHaveAttribute("data-rev", rev);
  });
});

test("a reload in mid-game keeps stones, tree, and comments", async ({ page, board }) => {
  await board("grid:5");
  await play(page, "C3", "black");
  await rested(page);
  await page.locator("textarea").first().fill("a comment");
  await page.locator("textarea").first().blur();
  const before = await position(page);
  await page.reload();
  await expect(page.locator("body")).toHaveAttribute("data-connected", "true");
  await expect.poll(() => position(page)).toEqual(before);
  await expect(page.locator("textarea").first()).toHaveValue("a comment");
});

test("two colors in two windows", async ({ page, board, context, watch }) => {
  const address = await board("grid:5");
  await page.locator("#more-button").click();
  await page.locator('[data-player="white"]').selectOption("person");
  await page.locator("#set-players").click();
  await page.getByText("Links for other people").click();
  const link = await page.getByLabel("Link for white").inputValue();
  expect(new URL(link).origin).toBe(new URL(address).origin);
  await page.keyboard.press("Escape");
  const other = await context.newPage();
  watch(other);
  await open(other, link);
  await play(page, "C3", "black");
  await expect(vertex(other, "C3")).toHaveAttribute("data-stone", "black");
  await play(other, "B2", "white");
  await expect(vertex(page, "B2")).toHaveAttribute("data-stone", "white");
  await vertex(other, "D4").click();
  await expect(other.locator("#status")).toContainText("not your turn");
  await expect(vertex(other, "D4")).toHaveAttribute("data-stone", "empty");
});

test("a cut connection is shown, and the page catches up", async ({
  page,
  board,
  context,
  watch,
}) => {
  const sockets = [];
  let blocked = false;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    if (blocked) {
      void socket.close();
      return;
    }
    socket.connectToServer();
    sockets.push(socket);
  });
  const address = await board("grid:5");
  await play(page, "C3", "black");
  await rested(page);
  blocked = true;
  await sockets[0].close();
  await expect(page.locator("#banner")).toBeVisible();
  await accessible(page, "lost connection");
  const other = await context.newPage();
  watch(other);
  await open(other, address);
  const alias = await someLegal(other, 5);
  await play(other, alias, "black");
  await rested(other);
  blocked = false;
  await expect(page.locator("#banner")).toBeHidden();
  await expect.poll(() => position(page)).toEqual(await position(other));
});
