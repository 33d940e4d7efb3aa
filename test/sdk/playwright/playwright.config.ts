import { defineConfig } from '@playwright/test'

/** Tests that fail, played by playwright-reports.test.ts. */
export default defineConfig({ testDir: '.', workers: 1, retries: 0 })
