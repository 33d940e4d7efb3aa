import { defineConfig } from '@playwright/test'
import all from '../../e2e/playwright.config.ts'

/** What is about the sentences themselves, or about how things look, or about the desktop program. */
const LEFT_OUT = ['looks', 'layout', 'rendering', 'every-screen', 'stand-in']

export default defineConfig({
  ...all,
  testDir: '../../e2e',
  testIgnore: LEFT_OUT.map((name) => `**/${name}.spec.ts`),
  globalSetup: '../../e2e/support/page-is-built.ts',
})
