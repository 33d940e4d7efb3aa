import { test } from '@playwright/test'
import { CHECKS, POSIX_ONLY } from '../shell/stand-in/checks.ts'

test.describe('the shell in the stand-in', { tag: '@long' }, () => {
  for (const [title, check] of Object.entries(CHECKS)) {
    test(title, async () => {
      test.skip(process.platform === 'win32' && POSIX_ONLY.has(title), 'it starts a script')
      await check(undefined)
    })
  }
})
