import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { BROKEN_SHELLS } from '../shell/stand-in/broken-shells.ts'
import { CHECKS } from '../shell/stand-in/checks.ts'
import { ROOT } from './support/serve.ts'

const main = join(ROOT, 'out/main')

// A check that waits for what a broken shell never does is as much in vain: then the test itself is too late, and fails.
test.describe('a broken shell is found in the stand-in', { tag: '@long' }, () => {
  const broken = Object.entries(BROKEN_SHELLS).flatMap(([fails, mistakes]) =>
    mistakes.map((mistake) => [fails as keyof typeof BROKEN_SHELLS, mistake] as const),
  )
  for (const [place, [fails, [mistake, find, instead]]] of broken.entries()) {
    test(mistake, async () => {
      const text = readFileSync(join(main, 'index.js'), 'utf8')
      expect(text.split(find), 'the mistake can be made in one place').toHaveLength(2)
      const entry = join(main, `broken-${place}.js`)
      writeFileSync(
        entry,
        text.replace(find, () => instead),
      )
      try {
        await expect(CHECKS[fails](entry)).rejects.toThrow()
      } finally {
        rmSync(entry)
      }
    })
  }
})
