import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: /\.spec\.m?ts$/,
  fullyParallel: true,
  workers: Number(process.env.HANDSET_TEST_WORKERS ?? 2),
  // A busy machine must not make a test fail.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'json',
  use: {
    baseURL: process.env.SHOP ?? '',
    launchOptions: { executablePath: process.env.BROWSER ?? '', args: ['--no-sandbox'] },
  },
})
