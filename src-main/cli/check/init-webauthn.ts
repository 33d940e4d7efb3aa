import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { realClock } from '../../bench/harness/clock.ts'
import { createRandom } from '../../bench/harness/random.ts'
import type { WebauthnServer } from '../../core/contract/webauthn-server.ts'
import { problemTexts } from '../../core/messages/en/scenario-problems.ts'
import { firstLine } from '../../core/protocol/message-of.ts'
import { ok } from '../../core/protocol/result.ts'
import { shellWord } from '../../core/protocol/shell-word.ts'
import type { Finding } from '../../testing/check/finding.ts'
import { WEBAUTHN_CASES } from '../../testing/check/webauthn/cases.ts'
import { doubtfulCalls, type Recognised, withoutCall } from '../../testing/check/webauthn/learn/recognise.ts'
import { type LearnedPage, learnServer, NotLearned } from '../../testing/check/webauthn/learn/visit.ts'
import { checkWebauthn } from '../../testing/check/webauthn/run.ts'
import { createBrowsing } from '../../testing/scenario/own-rp/playwright.ts'
import { writeDocument } from '../../testing/scenario/read-document.ts'
import { chooseBy } from '../choose-element.ts'
import { type Environment, type ExitCode, misuse, notDone } from '../command.ts'
import { inFile } from '../in-file.ts'
import { parsePageUrl } from '../option-values.ts'
import { readWebauthnServer } from '../read-calls.ts'
import { schemaLine } from '../write-whole.ts'
import type { Parsed } from './outcome.ts'

const DEFAULT_FILE = 'webauthn.yaml'

/** Uses a running server's page in a browser, writes the page's calls to a file, and tries the file. */
export const initWebauthn = async ({ options, named }: Parsed, environment: Environment): Promise<ExitCode> => {
  const { terminal } = environment
  const { init: url = '', config: file = DEFAULT_FILE } = options
  const address = parsePageUrl(url, named('init'))
  if (!address.ok) return misuse(environment, 'check', address.error)
  if (existsSync(file)) return notDone(environment, 'check', `${file} is there already. Name another with --config.`)
  const browsing = createBrowsing(resolve(dirname(file)))
  const random = createRandom().stream('check', 'check', 'check')
  const now = (): number => realClock.now()
  const ca = options.ca === undefined ? ok(undefined) : inFile(named('ca'), options.ca, (text) => ok(text))
  if (!ca.ok) return misuse(environment, 'check', ca.error)
  const play = ({ ca: _, policies: __, ...target }: WebauthnServer) =>
    checkWebauthn({
      target: { ...target, ...(ca.value === undefined ? {} : { ca: ca.value }) },
      cases: WEBAUTHN_CASES.filter(({ id }) => TRIED.includes(id)),
      ...{ policies: new Set(), parallel: 1, random, now, signal: environment.stop, onResult: () => undefined },
    })
  try {
    const newWindow = async () => {
      const opened = await browsing.fresh({ trusts: options.ca !== undefined })
      if (!opened.ok) {
        const { expected, received } = problemTexts(opened.error.problem)
        throw new NotLearned(`it needs ${expected}: ${received}.`)
      }
      return { page: opened.value.page as unknown as LearnedPage, close: opened.value.close }
    }
    const print = (line: string): void => terminal.out(line)
    const all = await learnServer({ url, newWindow, random, now, print, choose: chooseBy(environment) })
    const passesAll = async (recognised: Recognised) =>
      (await play(recognised.config)).filter(isRight).length === TRIED.length
    let learned = all
    if (await passesAll(all))
      for (const place of doubtfulCalls(all).toReversed()) {
        const less = withoutCall(learned, place)
        if (await passesAll(less)) learned = less
      }
    if (environment.stop.aborted) return notDone(environment, 'check', 'stopped.')
    const { notes } = learned
    const config = { ...learned.config, ...(options.ca === undefined ? {} : { ca: resolve(options.ca) }) }
    writeFileSync(file, `${schemaLine(file, 'webauthn-server')}${FILE_HEADER}${writeDocument(config, notes)}`, {
      flag: 'wx',
    })
    for (const { path, text } of notes) terminal.out(`${path.join('.')}: ${text}`)
    terminal.out(`Wrote ${file}.`)
  } catch (error) {
    if (environment.stop.aborted) return notDone(environment, 'check', 'stopped.')
    if (!(error instanceof Error)) throw error
    const why = error instanceof NotLearned ? error.message : firstLine(error)
    const more = 'Write the file by hand: docs/using/webauthn-servers.md.'
    return notDone(environment, 'check', `${url} could not be learned: ${why} ${more}`)
  } finally {
    await browsing.close()
  }
  const written = inFile(named('config'), file, readWebauthnServer)
  if (!written.ok) return notDone(environment, 'check', written.error)
  const tried = await play(written.value)
  for (const each of tried.filter(({ finding }) => finding.verdict !== 'passed'))
    terminal.out(`Tried it: ${each.case.name}: ${each.finding.verdict.toUpperCase()}, ${each.finding.text}`)
  if (tried.filter(isRight).length < TRIED.length)
    return notDone(environment, 'check', `look at ${file} before you use it: docs/using/webauthn-servers.md.`)
  terminal.out('Tried it: a registration and a sign-in are accepted, and wrong answers are refused.')
  terminal.out(`Now play all cases: handset check --webauthn --config ${shellWord(file)}`)
  return 0
}

/** True for a WARNING too: the server refuses with an unexpected error, but the described calls work. */
const isRight = ({ finding: { verdict } }: { readonly finding: Finding }): boolean =>
  verdict === 'passed' || verdict === 'warning'

/** The cases that show whether the calls are right. */
const TRIED: readonly string[] = [
  ...['a-registration-and-a-sign-in-are-accepted', 'a-registration-with-challenge-wrong-is-refused'],
  ...['a-sign-in-with-challenge-wrong-is-refused'],
]

const FILE_HEADER = `# How handset check --webauthn calls this server: docs/using/webauthn-servers.md.
`
