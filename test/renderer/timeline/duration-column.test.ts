import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { took } from '../../../src-renderer/ui/format.ts'

const css = readFileSync(new URL('../../../src-renderer/timeline/exchange-row.module.css', import.meta.url), 'utf8')

/** JetBrains Mono: each character is 0.6 em wide. */
const CHARACTER_PX = 0.6 * Number(/\.took \{\s*font: \d+ (\d+)px/.exec(css)?.[1])

it('the column of durations has room for every duration', () => {
  const columns = [...css.matchAll(/grid-template-columns: .* auto (\d+)(?:px)?;/g)].map(([, px]) => Number(px))
  const shown = columns.filter((px) => px > 0)
  expect(shown).toHaveLength(4)
  const times = [0, 4_200, 99_949, 99_960, 100_000, 9_999_000, 10_000_000, 3_600_000_000]
  const widest = Math.max(...times.map((us) => took(us).length * CHARACTER_PX))
  expect(widest).toBeGreaterThan(0)
  for (const px of shown) expect(px).toBeGreaterThanOrEqual(widest)
})
