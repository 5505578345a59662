import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.js",
  timeout: 120_000,
  expect: { timeout: 15_000 },
  workers: Number(process.env.WORKERS ?? 2),
  reporter: [["list"]],
  use: {
    contextOptions: { reducedMotion: "reduce" },
    viewport: { width: 1280, height: 820 },
    actionTimeout: 15_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM || undefined,
      args: ["--no-sandbox"],
    },
  },
});
