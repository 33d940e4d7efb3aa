import { defineConfig } from '@playwright/test'
import { findBrowser } from '../support/browser.mjs'
import { taggedSpecs } from '../support/parts.ts'

const executablePath = findBrowser()

/** The page host carries these: a real Chromium, a real bench, codes read from pixels. */
export default defineConfig({
  testDir: '.',
  ...taggedSpecs(),
  outputDir: '../../test-results',
  globalSetup: './support/page-is-built.ts',
  // Each worker has a bench of its own, and most of a test is waiting for the next poll.
  workers: 2,
  // Every test has a workspace to itself, so that a long file need not wait for its own tests.
  fullyParallel: true,
  // Far beyond what a quiet machine needs: a busy one must not make a test fail.
  timeout: 300_000,
  expect: { timeout: 30_000, toPass: { timeout: 30_000 } },
  forbidOnly: process.env.CI !== undefined,
  use: {
    // What does not come says so by itself, long before its test has waited it out.
    actionTimeout: 30_000,
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1440, height: 900 },
    // A trace takes a picture of the page at every step: at a desk a failed test is run again with `--trace on`.
    trace: { mode: process.env.CI === undefined ? 'off' : 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      // Chromium refuses its own sandbox to root; the pages shown here are our own.
      args: [
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--in-process-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
