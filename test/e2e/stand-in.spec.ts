import { expect, test } from '@playwright/test'
import { readExecutedCalls } from '../shell/stand-in/executed-calls.ts'
import { FAILING_CHECKS, POSIX_ONLY } from '../shell/stand-in/failing-checks.ts'
import { closeSharedChromium } from '../shell/stand-in/shared-chromium.ts'
import { STRAIGHT_CHECKS } from '../shell/stand-in/straight-checks.ts'
import { isLong } from '../support/parts.ts'

const CHECKS = { ...STRAIGHT_CHECKS, ...FAILING_CHECKS }

/** What keeps others out, and what people do most; `npm test -- long` does what is left. */
const FIRST: readonly (keyof typeof CHECKS)[] = [
  'locks everything before its window, and shows the window before the tray',
  'gives the page its preload script’s one object, and nothing of Node',
  'lets the page use the camera after a yes, and nothing else, and takes it nowhere',
  'does not start packed with a switch that opens its window to others',
  'is sandboxed and without developer tools when packed, and takes its links behind two dashes',
  'shows a push as a notification and on its icon, and a click opens it on its phone',
  'hands a second instance’s link to the first, whose window comes to the front',
  'loses nothing when it is quit under load, and opens where it stood',
  'gives up on a port that is taken',
]

const isFirst = (title: string): boolean => FIRST.some((each) => each === title)
const checks = Object.entries(CHECKS).filter(([title]) => isFirst(title) !== isLong)

test.describe('the shell in the stand-in', { tag: '@both' }, () => {
  test.afterAll(closeSharedChromium)

  for (const [title, check] of checks) {
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
