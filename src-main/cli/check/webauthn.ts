import { monotonicMicros, realClock } from '../../bench/harness/clock.ts'
import { createRandom } from '../../bench/harness/random.ts'
import type { CheckReport } from '../../core/contract/check-report.ts'
import type { StepId } from '../../core/contract/judge/steps.ts'
import { en } from '../../core/messages/en/en.ts'
import { nearest } from '../../core/protocol/nearest.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { shellWord } from '../../core/protocol/shell-word.ts'
import { toldCase } from '../../testing/check/told-case.ts'
import { POLICIES, type Policy, WEBAUTHN_CASES, type WebauthnCase } from '../../testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../testing/check/webauthn/run.ts'
import type { WebauthnTarget } from '../../testing/check/webauthn/server.ts'
import { parseServiceUrl } from '../access-key.ts'
import { type Environment, type ExitCode, misuse, notDone } from '../command.ts'
import { column } from '../terminal.ts'
import { type Common, exitCodeOf, listCases, openReports, type Parsed, parseCommon, tell } from './outcome.ts'

type Settings = Common<WebauthnCase> & { readonly target: WebauthnTarget; readonly policies: ReadonlySet<Policy> }

/** The place in the specification that a case tests. */
const saysOf = (step: StepId) => ({
  page: 'WebAuthn Level 3',
  heading: step.startsWith('7.1') ? '§7.1 Registering a New Credential' : '§7.2 Verifying an Authentication Assertion',
  sentence: `Step ${step.split('.')[2]}: ${en.steps[step]}`,
  step,
})

const PLAN = WEBAUTHN_CASES.map((each) => ({ ...each, says: saysOf(each.step) }))

export const checkWebauthnServer = async (parsed: Parsed, environment: Environment): Promise<ExitCode> => {
  if (parsed.options.list === true) return listCases(PLAN, environment.terminal)
  const settings = parseSettings(parsed)
  if (!settings.ok) return misuse(environment, 'check', settings.error)
  return play(settings.value, parsed, environment)
}

const parseSettings = ({ options, named }: Parsed): Result<Settings, string> => {
  if (options['conformance-url'] === undefined)
    return err(`it needs ${named('conformance-url')}: the address below which /attestation/options stands.`)
  const url = parseServiceUrl(options['conformance-url'], named('conformance-url'))
  if (!url.ok) return url
  const origin = options.origin === undefined ? ok(undefined) : parseOrigin(options.origin, named('origin'))
  if (!origin.ok) return origin
  const policies = parsePolicies(options.policy ?? [], named('policy'))
  if (!policies.ok) return policies
  const common = parseCommon({ options, named }, { plan: PLAN, all: PLAN })
  if (!common.ok) return common
  const { ca } = common.value
  return ok({
    ...common.value,
    policies: policies.value,
    target: {
      url: url.value,
      ...(origin.value === undefined ? {} : { origin: origin.value }),
      ...(ca === undefined ? {} : { ca }),
    },
  })
}

const parseOrigin = (text: string, name: string): Result<string, string> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, ''))
    return ok(url.origin)
  return err(`${name} must be an origin, such as https://shop.example; got "${text}".`)
}

const parsePolicies = (given: readonly string[], name: string): Result<ReadonlySet<Policy>, string> => {
  const words = given.flatMap((each) => each.split(','))
  const stranger = words.find((word) => !POLICIES.some((each) => each === word))
  if (stranger === undefined) return ok(new Set(words as Policy[]))
  const near = nearest(stranger, POLICIES)
  const hint = near === undefined ? `They are ${POLICIES.join(', ')}.` : `Did you mean ${near}?`
  return err(`${name}: there is no policy "${stranger}". ${hint}`)
}

const play = async (settings: Settings, { options }: Parsed, environment: Environment): Promise<ExitCode> => {
  const { terminal, stop } = environment
  const { target, cases, expected, kinds, parallel, policies } = settings
  const folder = openReports(kinds, options.out)
  if (!folder.ok) return notDone(environment, 'check', folder.error)
  const [began, from] = [realClock.now(), monotonicMicros()]
  let done = 0
  const results = await checkWebauthn({
    ...{ target, cases, policies, parallel, signal: stop, now: () => realClock.now() },
    random: createRandom().stream('check', 'check', 'check'),
    onResult: ({ case: { name }, finding }) => {
      done += 1
      const line = `${done} of ${cases.length}  ${finding.verdict.toUpperCase()}  ${name}`
      terminal.status?.(column(line, terminal.width - 1).trimEnd())
    },
  })
  terminal.status?.('')
  if (stop.aborted) return notDone(environment, 'check', 'stopped.')
  const again = [
    `handset check --webauthn --conformance-url ${shellWord(target.url)}`,
    ...(target.origin === undefined ? [] : [`--origin ${shellWord(target.origin)}`]),
    ...[...policies].map((policy) => `--policy ${policy}`),
  ].join(' ')
  const report: CheckReport = {
    ...{ handset: environment.version, base_url: target.url, began },
    took_ms: Math.round((monotonicMicros() - from) / 1000),
    cases: results.map(({ case: { id, name, step }, ...result }) =>
      toldCase({ case: { id, name, says: saysOf(step) }, ...result }, { baseUrl: target.url, expected, again }),
    ),
  }
  const told = tell(report, { folder: folder.value, kinds, json: options.json === true }, environment)
  return told ?? exitCodeOf(report, environment)
}
