import { monotonicMicros, realClock } from '../bench/harness/clock.ts'
import { createRandom } from '../bench/harness/random.ts'
import { type CheckedCase, type CheckReport, isBad } from '../core/contract/check-report.ts'
import type { Recording } from '../core/contract/parity-report.ts'
import { defaultProfile, type Profile } from '../core/contract/profile.ts'
import type { FileProblem } from '../core/contract/scenario/file-problems.ts'
import { isObject } from '../core/protocol/json.ts'
import { nearest } from '../core/protocol/nearest.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { handPhone } from '../testing/check/check-phone.ts'
import { measure } from '../testing/check/measure.ts'
import { ALL_CASES, type PlannedCase, planOf, runCheck } from '../testing/check/run-check.ts'
import { type Expected, toldCase } from '../testing/check/told-case.ts'
import type { CheckTarget } from '../testing/check/world.ts'
import { readDocument } from '../testing/scenario/read-document.ts'
import { checkJunit } from '../views/report/check-junit.ts'
import { checkPage } from '../views/report/check-page.ts'
import { parseAccessKey, parseReportKinds, parseServiceUrl } from './access-key.ts'
import { readProfileFile, wholeNumber } from './bench-options.ts'
import { checkText } from './check/check-text.ts'
import { type Environment, type ExitCode, makeCommand, misuse, notDone } from './command.ts'
import { inFile } from './in-file.ts'
import { checkOptions } from './options.ts'
import type { ReadOptions } from './read-options.ts'
import { openResultsFolder } from './run/results-folder.ts'
import { column } from './terminal.ts'
import { writeWhole } from './write-whole.ts'

const KINDS = ['html', 'junit', 'json'] as const
const FILES = { html: 'check.html', junit: 'check.xml', json: 'check.json' } as const
const MOST_PARALLEL = 64

type Parsed = ReadOptions<typeof checkOptions>

type Settings = {
  readonly target: CheckTarget
  readonly profile: Profile
  readonly cases: readonly PlannedCase[]
  readonly expected: Expected
  readonly parallel: number
  readonly kinds: readonly (typeof KINDS)[number][]
}

/** Which cases may fail and why, as YAML or JSON: `case-id: reason`. */
const readExpected =
  (known: readonly string[]) =>
  (text: string): Result<Expected, string | FileProblem> => {
    const document = readDocument(text)
    if (!document.ok) return document
    const value = document.value.value ?? {}
    if (!isObject(value)) return err('it must name cases, each with the reason why it fails, as "case-id: reason".')
    for (const [id, reason] of Object.entries(value)) {
      if (!known.includes(id)) return err(`there is no case "${id}".${hint(id, known)}`)
      if (typeof reason !== 'string' || reason.trim() === '') return err(`${id} needs its reason, as a text.`)
    }
    return ok(value as Expected)
  }

const hint = (id: string, known: readonly string[]): string => {
  const near = nearest(id, known)
  return near === undefined ? ' handset check --list has them.' : ` Did you mean ${near}?`
}

export const check = makeCommand(
  {
    name: 'check',
    usage: '--base-url URL --access-key ID:SECRET [OPTIONS]',
    options: checkOptions,
    more: [
      'Each case stands on a paragraph of docs/interface. A request that must be refused differs in one thing from one that must be accepted. Check only what you may: it registers users, and sends what is wrong.',
      'Exit code 0: nothing speaks against the service. 1: something FAILED, is VACUOUS, or passes though it is expected to fail. 2: something cannot be read. 3: the service does not answer, nothing could be checked, or a report could not be written. 130: ended by hand.',
    ],
  },
  async (parsed, environment) => {
    const { options, positionals } = parsed
    const { terminal } = environment
    if (positionals[0] !== undefined)
      return misuse(environment, 'check', `it takes options alone; got "${positionals[0]}".`)
    if (options.list === true) {
      terminal.out(
        ALL_CASES.map(
          ({ id, says: { page, heading, step } }) =>
            `${id}  (${page}: ${heading}${step === undefined ? '' : `, WebAuthn §${step}`})`,
        ).join('\n'),
      )
      return 0
    }
    const settings = parseSettings(parsed)
    if (!settings.ok) return misuse(environment, 'check', settings.error)
    if (options['by-hand'] === true && environment.ask === undefined)
      return misuse(environment, 'check', `${parsed.named('by-hand')} needs somebody at the keyboard.`)
    return play(settings.value, parsed, environment)
  },
)

const parseSettings = ({ options, named }: Parsed): Result<Settings, string> => {
  const baseUrl = parseServiceUrl(options['base-url'], named('base-url'))
  if (!baseUrl.ok) return baseUrl
  const appUrl =
    options['app-url'] === undefined ? ok(undefined) : parseServiceUrl(options['app-url'], named('app-url'))
  if (!appUrl.ok) return appUrl
  if (options['access-key'] === undefined)
    return err(`it needs ${named('access-key')}: the key of an RP whose users may come and go.`)
  const key = parseAccessKey(options['access-key'], named('access-key'))
  if (!key.ok) return key
  const other = options['other-access-key']
  const otherKey = other === undefined ? ok(undefined) : parseAccessKey(other, named('other-access-key'))
  if (!otherKey.ok) return otherKey
  const profile = options.profile === undefined ? ok({}) : inFile(named('profile'), options.profile, readProfileFile)
  if (!profile.ok) return profile
  const whole: Profile = { ...defaultProfile, ...profile.value }
  const plan = planOf(whole)
  const cases = namedCases(options.case, plan, named('case'))
  if (!cases.ok) return cases
  const ids = ALL_CASES.map(({ id }) => id)
  const expected =
    options.expected === undefined ? ok({}) : inFile(named('expected'), options.expected, readExpected(ids))
  if (!expected.ok) return expected
  const parallel = wholeNumber(named('parallel'), options.parallel ?? '4', MOST_PARALLEL)
  if (!parallel.ok) return parallel
  const kinds = parseReportKinds(options.report, { known: KINDS, name: named('report') })
  if (!kinds.ok) return kinds
  const ca = options.ca === undefined ? ok(undefined) : inFile(named('ca'), options.ca, (text) => ok(text))
  if (!ca.ok) return ca
  return ok({
    target: {
      baseUrl: baseUrl.value,
      ...(appUrl.value === undefined ? {} : { appUrl: appUrl.value }),
      key: { accessKeyId: key.value.id, secretKey: key.value.secret },
      ...(otherKey.value === undefined
        ? {}
        : { otherKey: { accessKeyId: otherKey.value.id, secretKey: otherKey.value.secret } }),
      ...(ca.value === undefined ? {} : { ca: ca.value }),
    },
    ...{ profile: whole, cases: cases.value, expected: expected.value },
    ...{ parallel: Math.max(1, parallel.value), kinds: kinds.value },
  })
}

const namedCases = (
  given: readonly string[] | undefined,
  plan: readonly PlannedCase[],
  name: string,
): Result<readonly PlannedCase[], string> => {
  if (given === undefined) return ok(plan)
  const stranger = given.find((id) => !plan.some((each) => each.id === id))
  if (stranger === undefined) return ok(plan.filter(({ id }) => given.includes(id)))
  if (ALL_CASES.some(({ id }) => id === stranger)) return err(`${name}: the profile leaves out "${stranger}".`)
  const near = nearest(
    stranger,
    plan.map(({ id }) => id),
  )
  return err(
    `${name}: there is no case "${stranger}". ${near === undefined ? 'handset check --list has them.' : `Did you mean ${near}?`}`,
  )
}

const play = async (settings: Settings, { options }: Parsed, environment: Environment): Promise<ExitCode> => {
  const { terminal, stop, ask } = environment
  const { target, cases, expected, kinds } = settings
  const folder = kinds.length === 0 ? undefined : openResultsFolder(options.out ?? 'handset-results')
  const prepared = folder?.prepare()
  if (prepared?.ok === false) return notDone(environment, 'check', prepared.error)
  const hand =
    options['by-hand'] === true && ask !== undefined
      ? handPhone({ baseUrl: target.baseUrl, say: terminal.out, ask })
      : undefined
  const random = createRandom().stream('check', 'check', 'check')
  const now = (): number => realClock.now()
  const [began, from] = [realClock.now(), monotonicMicros()]
  let done = 0
  const results = await runCheck({
    ...{ target, cases, hand, profile: settings.profile, parallel: settings.parallel, slow: options.slow === true },
    ...{ random, now },
    signal: stop,
    onResult: ({ case: { name }, finding }) => {
      done += 1
      const line = `${done} of ${cases.length}  ${finding.verdict.toUpperCase()}  ${name}`
      if (hand === undefined) terminal.status?.(column(line, terminal.width - 1).trimEnd())
    },
  })
  terminal.status?.('')
  if (stop.aborted) return notDone(environment, 'check', 'stopped.')
  const { baseUrl, appUrl } = target
  const report: CheckReport = {
    ...{ handset: environment.version, base_url: baseUrl },
    ...(appUrl === undefined ? {} : { app_url: appUrl }),
    ...{ began, took_ms: Math.round((monotonicMicros() - from) / 1000) },
    cases: results.map((result) => toldCase(result, { baseUrl, appUrl, expected })),
  }
  const heard = report.cases.flatMap(({ exchanges }) => exchanges)
  if (heard.length > 0 && heard.every(({ status }) => status === 0))
    return notDone(environment, 'check', `nobody answers at ${baseUrl}: ${heard[0]?.problem}.`)
  terminal.out(options.json === true ? JSON.stringify(report) : checkText(report, terminal))
  for (const kind of kinds) {
    const written = folder?.write(FILES[kind], textOf(kind, report))
    if (written?.ok === false) return notDone(environment, 'check', written.error)
  }
  if (options.record !== undefined) {
    const measured = await measure(target, { profile: settings.profile, random, now, phones: appUrl !== undefined })
    const recording: Recording = { ...report, profile: settings.profile, measured }
    const kept = writeWhole(options.record, `${JSON.stringify(recording, undefined, 1)}\n`)
    if (!kept.ok) return notDone(environment, 'check', kept.error)
  }
  if (report.cases.some(isBad)) return 1
  if (report.cases.some(wasPlayed)) return 0
  return notDone(environment, 'check', 'nothing could be checked: every case was skipped.')
}

const wasPlayed = ({ verdict }: CheckedCase): boolean => verdict !== 'skipped'

const textOf = (kind: (typeof KINDS)[number], report: CheckReport): string => {
  if (kind === 'html') return checkPage(report)
  return kind === 'junit' ? checkJunit(report) : `${JSON.stringify(report, undefined, 2)}\n`
}
