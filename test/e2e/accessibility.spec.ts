import { LANGUAGES } from '../../src-renderer/ui/language.ts'
import { expect, test } from './support/bench.ts'
import {
  benchTour,
  consoleTour,
  inspectorTour,
  lookAt,
  narrowTour,
  overlayTour,
  type Visit,
  WORDS,
} from './support/every-screen.ts'

// axe looks at every element of every state: on a busy machine that takes a while.
test.setTimeout(120_000)

const TOURS: readonly (readonly [string, (visit: Visit) => Promise<void>])[] = [
  ['on the bench, from the first phone to a request that ran out', benchTour],
  ['in the inspector', inspectorTour],
  ['in the console', consoleTour],
  ['in the palette, a notice and the list of keys', overlayTour],
]

for (const language of ['en', 'zh'] as const) {
  const { name, tag } = LANGUAGES[language]
  const words = WORDS[language]

  test.describe(name, () => {
    test.use({ locale: tag })

    for (const [where, tour] of TOURS) {
      test(`axe finds nothing ${where}, light and dark`, async ({ open, bench, page }) => {
        await open(words)
        await tour({ page, bench, words, look: lookAt(page, language) })
      })
    }

    test.describe('390 by 844 pixels', () => {
      test.use({ viewport: { width: 390, height: 844 } })

      test('axe finds nothing on the narrow screen, light and dark', async ({ open, bench, page }) => {
        await open(words)
        await narrowTour({ page, bench, words, look: lookAt(page, language) })
      })
    })

    test('axe finds nothing on a page without its key, light and dark', async ({ bench, page }) => {
      const [plain = ''] = (await bench.invite()).split('#')
      await page.goto(plain)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.gate.none.title)
      await lookAt(page, language)('the gate')
    })
  })
}
