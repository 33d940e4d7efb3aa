import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { RpSuite } from '../../core/contract/rp-suite.ts'
import { problemTexts } from '../../core/messages/en/scenario-problems.ts'
import { firstLine } from '../../core/protocol/message-of.ts'
import { connectHandset } from '../../sdk/handset.ts'
import { createBrowsing } from '../../testing/scenario/own-rp/playwright.ts'
import { writeDocument } from '../../testing/scenario/read-document.ts'
import { learnPage, NotLearned } from '../../testing/suite/learn/learn-page.ts'
import type { SuitePage } from '../../testing/suite/page-driver.ts'
import { chooseBy } from '../choose-element.ts'
import { type Environment, type ExitCode, notDone } from '../command.ts'
import { schemaLine } from '../write-whole.ts'
import { type RpCalls, type SuiteBench, watchRpCalls } from './open-suite-bench.ts'

type Init = {
  readonly url: string
  readonly file: string
  readonly bench: SuiteBench
  /** The command that plays the file on the same bench. */
  readonly next: string
}

/** Opens a running RP, registers a user and signs them in, and writes the steps to a file. */
export const initSuite = async ({ url, file, bench, next }: Init, environment: Environment): Promise<ExitCode> => {
  const { terminal } = environment
  if (existsSync(file)) return notDone(environment, 'suite', `${file} is there already. Name another with --config.`)
  const browsing = createBrowsing(resolve(dirname(file)))
  let calls: RpCalls | undefined
  try {
    const workspace = await connectHandset(bench)
    calls = await watchRpCalls(workspace)
    const newWindow = async () => {
      const opened = await browsing.fresh({ trusts: true })
      if (!opened.ok) throw new NotLearned(problemTexts(opened.error.problem).received)
      return { page: opened.value.page as unknown as SuitePage, close: opened.value.close }
    }
    const page = await learnPage({
      url,
      workspace,
      newWindow,
      choose: chooseBy(environment),
      print: (line) => terminal.out(line),
    })
    const { origin, pathname } = new URL(url)
    const config: RpSuite = {
      url: origin,
      user_id: '{name}',
      page: { ...(pathname === '/' ? {} : { path: pathname }), ...page },
    }
    writeFileSync(file, `${schemaLine(file, 'rp-suite')}${FILE_HEADER}${writeDocument(config)}`, { flag: 'wx' })
    const [, variable = ''] = /"\$(\w+)"/.exec(next) ?? []
    const first =
      variable === '' || environment.env[variable] !== undefined ? '' : ` Set ${variable} to the same value.`
    terminal.out(`Wrote ${file}.${first} Try it: ${next}`)
    return 0
  } catch (error) {
    if (environment.stop.aborted) return notDone(environment, 'suite', 'stopped.')
    if (!(error instanceof Error)) throw error
    const why = error instanceof NotLearned ? error.message : firstLine(error)
    const todo = (await calls?.problem()) ?? 'Write the file by hand: docs/using/service-faults.md.'
    return notDone(environment, 'suite', `${url} could not be learned: ${why} ${todo}`)
  } finally {
    await browsing.close()
  }
}

const FILE_HEADER = `# How handset suite rp uses this RP: docs/using/service-faults.md. The RP must run, with the key of the bench,
# or say under "start" how it is started.
`
