import type { RpSuite } from '../../contract/rp-suite.ts'
import { problemTexts } from '../../messages/en/scenario-problems.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Browsing } from '../../scenario/own-rp/browsing.ts'
import { httpDriver } from '../../suite/http-driver.ts'
import { pageDriver, type SuiteWindow } from '../../suite/page-driver.ts'
import { RpBroken, type RpDriver } from '../../suite/rp-driver.ts'

type Around = { readonly browsing: Browsing; readonly stop: AbortSignal }

/** By the RP's page, or by its HTTP interface. A page needs a browser, which is tried first. */
export const openDriver = async (suite: RpSuite, { browsing, stop }: Around): Promise<Result<RpDriver, string>> => {
  const { calls, page } = suite
  if (calls !== undefined) return ok(httpDriver({ ...suite, calls }, stop))
  if (page === undefined) return err('the configuration says neither "calls" nor "page".')
  const first = await browsing.fresh()
  if (!first.ok) return err(problemTexts(first.error.problem).received)
  await first.value.close()
  const newWindow = async (): Promise<SuiteWindow> => {
    const opened = await browsing.fresh()
    if (opened.ok) return opened.value
    throw new RpBroken({ code: 'no_window', params: { problem: opened.error.problem } })
  }
  return ok(pageDriver({ ...suite, page }, newWindow))
}
