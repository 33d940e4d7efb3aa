import { defineConfig } from '@playwright/test'
import { findBrowser } from '../support/browser.mjs'

const executablePath = findBrowser()
const isLong = process.env.HANDSET_TEST_LONG === 'yes'

/** The page host carries these: a real Chromium, a real bench, codes read from pixels. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  // `npm test -- long`: twenty whole programs, each with a mistake, and the page from its source.
  testIgnore: isLong ? [] : ['**/stand-in-broken.spec.ts', '**/rendering.spec.ts'],
  // What the presenter's keys do is told by `npm test`; how each step looks, in more ways, by the long one.
  grepInvert: isLong ? /presenter\.spec\.ts (?!.*@(looks|long))/ : /@long/,
  outputDir: '../../test-results',
  globalSetup: './support/page-is-built.ts',
  // Each worker has a bench of its own, and most of a test is waiting for the next poll.
  workers: 2,
  // Every test has a workspace to itself, so that a long file need not wait for its own tests.
  fullyParallel: true,
  // Far beyond what a quiet machine needs: a busy one must not make a test fail.
  timeout: 90_000,
  expect: { timeout: 20_000 },
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
