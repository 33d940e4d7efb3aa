import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { RpSuite } from '../../core/contract/rp-suite.ts'
import { problemTexts } from '../../core/contract/scenario/problems.ts'
import { pause } from '../../sdk/real-time.ts'
import { fillText, type Values } from '../../testing/calls/placeholders.ts'
import type { Browsing } from '../../testing/scenario/own-rp/playwright.ts'
import type { Programs } from '../../testing/scenario/own-rp/programs.ts'
import { httpDriver } from '../../testing/suite/http-driver.ts'
import { openSession } from '../../testing/suite/http-session.ts'
import { pageDriver, type SuitePage, type SuiteWindow } from '../../testing/suite/page-driver.ts'
import { RpBroken, type RpDriver, type SuiteUser } from '../../testing/suite/rp-driver.ts'
import { fillProgram } from '../../testing/suite/start-rp.ts'
import { notDone } from '../command-end.ts'

type Around = {
  readonly browsing: Browsing
  readonly programs: Programs
  readonly folder: string
  readonly values: Values
  readonly stop: AbortSignal
}

/** The CA of an RP behind https: undefined without one, or while the RP has not written it yet. */
export const rpCaReader =
  ({ ca }: RpSuite, { folder, values }: Pick<Around, 'folder' | 'values'>) =>
  (): string | undefined => {
    if (ca === undefined) return undefined
    try {
      return readFileSync(resolve(folder, fillText(ca, values)), 'utf8')
    } catch {
      return undefined
    }
  }

/** For a page, opens a browser once to test that it works. */
export const openDriver = async (suite: RpSuite, around: Around): Promise<RpDriver> => {
  const { calls, page } = suite
  const { browsing, stop } = around
  const ca = rpCaReader(suite, around)()
  const prepare = prepareWith(suite, { ...around, ca })
  if (calls !== undefined) return httpDriver({ ...suite, calls }, { ca, signal: stop, prepare })
  if (page === undefined) return notDone('the configuration says neither "calls" nor "page".')
  const trusts = ca !== undefined
  const first = await browsing.fresh({ trusts })
  if (!first.ok) return notDone(problemTexts(first.error.problem).received)
  await first.value.close()
  const newWindow = async (): Promise<SuiteWindow> => {
    const opened = await browsing.fresh({ trusts })
    if (opened.ok) return { page: opened.value.page as unknown as SuitePage, close: opened.value.close }
    throw new RpBroken({ code: 'no_window', params: { problem: opened.error.problem } })
  }
  return pageDriver({ ...suite, page }, { newWindow, prepare })
}

const prepareWith =
  (suite: RpSuite, { ca, programs, values, stop }: Around & { readonly ca: string | undefined }) =>
  async (user: SuiteUser): Promise<SuiteUser> => {
    const session = openSession({ ...suite, ca, signal: stop, onText: () => undefined })
    const fail = (where: string, error: string): never => {
      throw new RpBroken({ code: 'call_failed', params: { where, error } })
    }
    let made = user
    for (const [at, step] of (suite.before ?? []).entries()) {
      if ('http' in step) {
        const answer = await session.ask(step.http, { ...values, ...made })
        const { where, status, text } = answer
        if (status >= 400)
          throw new RpBroken({ code: 'crashed', params: { where, text: `HTTP ${status}: ${text.slice(0, 200)}` } })
        made = { ...made, ...session.known() }
        continue
      }
      const name = `before ${at} ${user.name}`
      const started = await programs.start({ ...fillProgram(step.exec, { ...values, ...made }), as: name })
      const program = step.exec.program
      if (!started.ok) return fail(program, problemTexts(started.error.problem).received)
      while (started.value.ended() === undefined) await pause(ENDED_MS, stop)
      const how = started.value.ended()
      if (how === undefined || !('exit_code' in how) || how.exit_code !== 0)
        fail(program, started.value.output.since(0).slice(-200))
    }
    return made
  }

const ENDED_MS = 20
