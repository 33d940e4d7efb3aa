import { LANGUAGES } from '../../src-renderer/ui/language.ts'
import { expect, test } from './support/bench.ts'
import { consoleTour } from './support/console-tour.ts'
import { benchTour, connectTour, narrowTour, overlayTour } from './support/every-screen.ts'
import { inspectorTour, inspectTour } from './support/inspector-tours.ts'
import { expectFits, fitsAt } from './support/layout.ts'
import { HELD_TO, readable } from './support/readable.ts'
import { type Visit, WORDS } from './support/visit.ts'

type Tour = readonly [string, (visit: Visit) => Promise<void>]

const TOURS: readonly Tour[] = [
  ['on the bench, from the first phone to a request that ran out', benchTour],
  ['where a server is connected', connectTour],
  ['in the palette, a notice and the list of keys', overlayTour],
  ['in the inspector', inspectorTour],
  ['in the console', consoleTour],
  ['on the page Inspect', inspectTour],
]

for (const language of ['en', 'zh'] as const) {
  const { name, tag } = LANGUAGES[language]
  const words = WORDS[language]

  test.describe(name, { tag: '@long' }, () => {
    test.use({ locale: tag })

    for (const [where, tour] of TOURS) {
      test(`axe finds nothing, everything is in reach and nothing is cut ${where}`, async ({ open, bench, page }) => {
        await open(words)
        const isReadable = readable(page, language)
        const fits = fitsAt(page, HELD_TO[language].sizes)
        const look = async (screen: string) => {
          await isReadable(screen)
          await fits(screen)
        }
        await tour({ page, bench, words, look })
      })
    }

    // looks.spec.ts and narrow.spec.ts use this screen, which has nothing that the wide one has not.
    test.describe('390 by 844 pixels', () => {
      test.use({ viewport: { width: 390, height: 844 } })

      test('axe finds nothing, and all is in reach and whole, on the narrow screen', async ({ open, bench, page }) => {
        await open(words)
        const isReadable = readable(page, language)
        const look = async (screen: string) => {
          await isReadable(screen)
          await expectFits(page, screen)
        }
        await narrowTour({ page, bench, words, look })
      })
    })

    test('axe finds nothing on a page without its key', async ({ bench, page }) => {
      const [plain = ''] = (await bench.invite()).split('#')
      await page.goto(plain)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(words.gate.none.title)
      await readable(page, language)('the gate')
    })
  })
}
