import { defineConfig } from '@playwright/test'

/** The desktop program’s list in a real Electron: one desktop, one program after the other. */
export default defineConfig({
  testDir: '.',
  testMatch: process.env.MEASURE_LATENCY === undefined ? 'desktop.spec.ts' : 'latency.spec.ts',
  outputDir: '../../test-results/desktop',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  forbidOnly: process.env.CI !== undefined,
})
