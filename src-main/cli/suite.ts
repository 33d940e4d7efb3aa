import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DEMO_RP } from '../bench/control/seed-data.ts'
import { monotonicMicros, realClock } from '../bench/harness/clock.ts'
import type { RpSuite } from '../core/contract/rp-suite.ts'
import { problemTexts } from '../core/contract/scenario/problems.ts'
import { FAULT_STORIES } from '../core/contract/service-faults.ts'
import {
  type FaultFinding,
  rpStartProblemText,
  type SuiteReport,
  TRIED_VERDICTS,
  type Trial,
} from '../core/contract/suite-findings.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { didYouMean } from '../core/protocol/nearest.ts'
import { err, orNothing } from '../core/protocol/result.ts'
import { shellWord } from '../core/protocol/shell-word.ts'
import { type ConnectOptions, connectHandset } from '../sdk/handset.ts'
import { pause } from '../sdk/real-time.ts'
import type { Workspace } from '../sdk/workspace.ts'
import { fillText, type Values } from '../testing/calls/placeholders.ts'
import { type Browsing, createBrowsing } from '../testing/scenario/own-rp/playwright.ts'
import { createPrograms, type Programs } from '../testing/scenario/own-rp/programs.ts'
import { writeDocument } from '../testing/scenario/read-document.ts'
import { httpDriver } from '../testing/suite/http-driver.ts'
import { openSession } from '../testing/suite/http-session.ts'
import { learnPage } from '../testing/suite/learn/learn-page.ts'
import { pageDriver, type SuiteWindow } from '../testing/suite/page-driver.ts'
import { RpBroken, type RpDriver, type SuiteUser } from '../testing/suite/rp-driver.ts'
import { fillProgram, programValues, type StartProgram, startRp } from '../testing/suite/start-rp.ts'
import { listTrials, TRIAL_NAMES, type WalkOptions, walkFaults } from '../testing/suite/walk.ts'
import { type Environment, makeCommand } from './command.ts'
import { type ExitCode, ifGiven, misuse, needed, notDone } from './command-end.ts'
import { findBench } from './find-bench.ts'
import { readOptionFile } from './in-file.ts'
import { learnByPage } from './learn-by-page.ts'
import { checkPageUrl, parseAccessKey, parseChoices } from './option-values.ts'
import { startOwnBench } from './own-bench.ts'
import { readRpSuite } from './read-calls.ts'
import type { Read } from './read-options.ts'
import { openResultsFolder, viewerFor, writeReports } from './run/results-folder.ts'
import { addSentences, findingsText, progressLine, suiteFiles, suiteProgress } from './suite/findings-text.ts'
import { schemaLine } from './write-whole.ts'

const DEFAULT_PARALLEL = 4
/** Default for an RP driven by its page: the suite mostly waits for it. */
const DEFAULT_PAGE_PARALLEL = 6
const DEFAULT_PATIENCE_S = 10
const MESSAGE_TTL_S = 30

const parseTrials = ({ options, named }: Read<'suite'>): readonly Trial[] => {
  const what = `${named('fault')} names no fault of the service and no check`
  const faults = namesIn(options.fault, { known: TRIAL_NAMES, what })
  const stories = namesIn(options.story, { known: FAULT_STORIES, what: `${named('story')} names no story` })
  const trials = listTrials(faults, stories)
  if (trials.length > 0) return trials
  const tried = [...new Set(listTrials(faults).map(({ story }) => story))].join(', ')
  return misuse(`${named('story')} names a story in which these faults are not tried. They are tried in ${tried}.`)
}

const namesIn = <const N extends string>(
  given: readonly string[] = [],
  { known, what }: { readonly known: readonly N[]; readonly what: string },
): readonly N[] => {
  const stranger = given.find((name) => !known.some((each) => each === name))
  if (stranger === undefined) return given.length === 0 ? known : known.filter((name) => given.includes(name))
  return misuse(`${what}: "${stranger}".${didYouMean(stranger, known)}`)
}

export const suite = makeCommand(
  {
    name: 'suite',
    usage: 'rp (--config FILE | --init URL) [OPTIONS]',
    more: [
      'It shows which faults break the RP, and which let somebody in.',
      'First it looks at the RP while the service is honest, then at each fault in its stories; --fault and --story play one.',
      'Exit code 0: the RP held under every fault. 1: it did not, or had to be brought back. 2: something cannot be read. 3: the bench or the RP could not start, nothing could be tried, fewer stories were than --at-least asks for, or a report could not be written. 130: ended by hand.',
    ],
  },
  async (parsed, environment) => {
    const { options, positionals, named } = parsed
    const [which, stranger] = positionals
    if (which !== 'rp' || stranger !== undefined) misuse('name the suite: handset suite rp.')
    if (options.init !== undefined) return learn(parsed, environment)
    const { config: file } = options
    if (file === undefined) return misuse('it needs --config FILE: how the RP is spoken to.')
    const config = readOptionFile(named('config'), file, readRpSuite)
    const trials = parseTrials(parsed)
    const { 'at-least': atLeast } = options
    if (atLeast > trials.length) misuse(`${named('at-least')} is more than the ${trials.length} stories.`)
    const kinds = parseChoices(options.report, { known: ['html', 'junit', 'json'], name: named('report') })
    const results = openResultsFolder(options.out)
    if (kinds.length > 0) needed(results.prepare(), notDone)
    const viewer = viewerFor(kinds, environment)
    const bench = await openSuiteBench(parsed, environment)
    const folder = resolve(dirname(file))
    const programs = createPrograms(folder)
    const browsing = createBrowsing(folder)
    try {
      const workspace = await connectHandset(bench)
      // A short lifetime on the suite's own bench: some stories wait until a request expires.
      if (options.attach !== true) await workspace.profile.set({ message_ttl_s: MESSAGE_TTL_S })
      const values = await programValues(workspace)
      const start: StartProgram = async (program) => {
        const begun = await programs.start(program)
        if (begun.ok) return begun
        return err({ code: 'no_program', params: { problem: begun.error.problem } })
      }
      const { stop } = environment
      const ca = rpCaReader(config, { folder, values })
      const started = await startRp(config, { start, values, ca, stop })
      if (!started.ok) return notDone(rpStartProblemText(started.error))
      const driver = await openDriver(config, { browsing, programs, folder, values, stop })
      const walked = { workspace, driver, config, trials, file, health: started.value }
      const write = (report: SuiteReport): void => {
        needed(writeReports(results, kinds, suiteFiles(report, viewer)), notDone)
        if (options.json !== true) results.tell(environment.terminal)
      }
      return await walk({ ...walked, write }, parsed, environment)
    } finally {
      await browsing.close()
      await programs.close()
      await bench.close()
    }
  },
)

/** Options that name the same bench. Without `control-url`, the token comes from HANDSET_TOKEN or the data folder. */
const benchNames = ({ options }: Read<'suite'>): readonly string[] => {
  if (options.attach !== true) return ['port', 'access-key']
  return ['attach', 'data', 'ca', ...(options['control-url'] === undefined ? [] : ['control-url', 'token'])]
}

/** The command that plays this file on the same bench. */
const commandOf = (file: string, parsed: Read<'suite'>): string =>
  `npx handset suite rp --config ${shellWord(file)} ${parsed.repeated(benchNames(parsed))}`.trimEnd()

const FILE_HEADER = `# How handset suite rp uses this RP: docs/using/service-faults.md. The RP must run, with the key of the bench,
# or say under "start" how it is started.
`

/** `--init` opens a running RP, registers a user and signs them in, and writes the steps to the file. */
const learn = async (parsed: Read<'suite'>, environment: Environment): Promise<0> => {
  const { init: url = '', config: file = 'rp-suite.yaml' } = parsed.options
  checkPageUrl(url, parsed.named('init'))
  const bench = await openSuiteBench(parsed, environment)
  let callsProblem: CallsProblem | undefined
  try {
    await learnByPage(
      {
        ...{ url, file, trusts: true },
        advice: async () => (await callsProblem?.()) ?? 'Write the file by hand: docs/using/service-faults.md.',
        learn: async (guide) => {
          const workspace = await connectHandset(bench)
          callsProblem = await watchRpCalls(workspace)
          const page = await learnPage({ url, workspace, ...guide })
          const { origin, pathname } = new URL(url)
          const path = pathname === '/' ? undefined : pathname
          const config: RpSuite = { url: origin, user_id: '{name}', page: { ...withoutUndefined({ path }), ...page } }
          writeFileSync(file, `${schemaLine(file, 'rp-suite')}${FILE_HEADER}${writeDocument(config)}`, { flag: 'wx' })
          const unset = parsed.unset(benchNames(parsed))
          const first = unset.map((variable) => ` Set ${variable} to the same value.`).join('')
          environment.terminal.out(`Wrote ${file}.${first} Try it: ${commandOf(file, parsed)}`)
        },
      },
      environment,
    )
    return 0
  } finally {
    await bench.close()
  }
}

type Walk = Required<Pick<WalkOptions, 'workspace' | 'driver' | 'trials' | 'health'>> & {
  readonly config: RpSuite
  readonly file: string
  readonly write: (report: SuiteReport) => void
}

const walk = async (
  { workspace, driver, config, trials, health, file, write }: Walk,
  parsed: Read<'suite'>,
  environment: Environment,
): Promise<ExitCode> => {
  const { terminal, stop } = environment
  const { attach, json, 'at-least': atLeast } = parsed.options
  const again = commandOf(file, parsed)
  const [began, from] = [realClock.now(), monotonicMicros()]
  const done = suiteProgress(trials, () => monotonicMicros() / 1000)
  const { status, error } = terminal
  const say = (): void => error(`handset suite: ${done.text()}`)
  const timer = status === undefined ? setInterval(say, PROGRESS_MS) : undefined
  const callsProblem = await watchRpCalls(workspace)
  try {
    const findings = await walkFaults({
      ...{ workspace, driver, trials, health, ownsClock: attach !== true, micros: monotonicMicros },
      patienceMs: (config.patience_s ?? DEFAULT_PATIENCE_S) * 1000,
      parallel: config.parallel ?? (config.calls === undefined ? DEFAULT_PAGE_PARALLEL : DEFAULT_PARALLEL),
      userId: config.user_id,
      signal: stop,
      onFinding: (finding) => {
        done.add(finding)
        terminal.status?.(progressLine(finding, done.text(), terminal))
      },
    })
    const report: SuiteReport = {
      ...{ handset: environment.version, config: file, again, began, restored: health.restored(), findings },
      took_ms: Math.round((monotonicMicros() - from) / 1000),
    }
    terminal.status?.('')
    terminal.out(json === true ? JSON.stringify(addSentences(report)) : findingsText(report, terminal))
    write(report)
    const tried = findings.filter(({ verdict }) => TRIED_VERDICTS.has(verdict)).length
    const isBad = ({ verdict, reason }: FaultFinding): boolean =>
      verdict === 'broke' || verdict === 'let_in' || reason?.code === 'stopped_beside'
    if (report.restored > 0 || findings.some(isBad)) return 1
    const noCalls = tried === 0 ? await callsProblem() : undefined
    if (noCalls !== undefined) notDone(noCalls)
    if (tried >= atLeast) return tried > 0 ? 0 : 3
    return notDone(`only ${tried} stories were tried; --at-least asks for ${atLeast}.`)
  } catch (reason) {
    terminal.status?.('')
    if (!stop.aborted) throw reason
    return notDone('stopped.')
  } finally {
    clearInterval(timer)
  }
}

const PROGRESS_MS = 8000

const openSuiteBench = async (
  { options, named }: Read<'suite'>,
  environment: Environment,
): Promise<ConnectOptions & { readonly close: () => Promise<void> }> => {
  if (options.attach === true)
    return { ...findBench({ options, named }, environment, notDone), close: async () => undefined }
  const keys = ifGiven(options['access-key'], (text) => [parseAccessKey(text, named('access-key'))])
  const rps = [{ ...DEMO_RP, ...withoutUndefined({ keys }) }]
  return needed(await startOwnBench(environment, { port: options.port, seedData: { rps, phones: [] } }), notDone)
}

/** Returns why no fault could be tried: since the watch began, the service got no call of the RP or refused all. */
type CallsProblem = () => Promise<string | undefined>

const watchRpCalls = async (workspace: Workspace): Promise<CallsProblem> => {
  const after = await workspace.lastSeq()
  return async () => {
    const { events } = await workspace.client.call('events.list', {
      query: { after, kind: 'exchange', limit: 10_000, brief: true },
    })
    const calls = events.flatMap((event) => (event.kind === 'exchange' && event.interface === 'rp' ? [event] : []))
    if (calls.some(({ response }) => response.status !== 401)) return undefined
    const { base_url, access_key_id } = await programValues(workspace)
    const what =
      calls.length === 0 ? 'No call of the RP reached the service.' : 'The service refused the signature of each call.'
    return `${what} The RP must call ${base_url} with the access key ${access_key_id} and its secret: let the suite start it, with {base_url}, {access_key_id} and {secret_key} under "start"; or start the suite with the --port and --access-key that your RP has.`
  }
}

type Around = {
  readonly browsing: Browsing
  readonly programs: Programs
  readonly folder: string
  readonly values: Values
  readonly stop: AbortSignal
}

/** Reads the CA of an RP behind https. Undefined without a CA, or while the RP has not written the file yet. */
const rpCaReader =
  ({ ca }: RpSuite, { folder, values }: Pick<Around, 'folder' | 'values'>) =>
  (): string | undefined =>
    ifGiven(ca, (path) => orNothing(() => readFileSync(resolve(folder, fillText(path, values)), 'utf8')))

/** For a page, opens a browser once to test that it works. */
const openDriver = async (suite: RpSuite, around: Around): Promise<RpDriver> => {
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
    if (opened.ok) return opened.value
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
