import { expect, test } from '@playwright/test'
import { readExecutedCalls } from '../shell/stand-in/executed-calls.ts'
import { FAILING_CHECKS, POSIX_ONLY } from '../shell/stand-in/failing-checks.ts'
import { closeSharedChromium } from '../shell/stand-in/shared-chromium.ts'
import { STRAIGHT_CHECKS } from '../shell/stand-in/straight-checks.ts'

const CHECKS = { ...STRAIGHT_CHECKS, ...FAILING_CHECKS }

test.describe('the shell in the stand-in', { tag: '@long' }, () => {
  test.afterAll(closeSharedChromium)

  for (const [title, check] of Object.entries(CHECKS)) {
    test(title, async () => {
      test.skip(process.platform === 'win32' && POSIX_ONLY.has(title), 'it starts a script')
      const executed = await check(undefined)
      const promised = readExecutedCalls().filter((row) => row.test === title)
      expect(
        promised.filter(({ call }) => !executed.has(call)),
        'executed-calls.json says that they are executed',
      ).toEqual([])
    })
  }
})
