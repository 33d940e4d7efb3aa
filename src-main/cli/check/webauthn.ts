import { realClock } from '../../bench/harness/clock.ts'
import { createRandom } from '../../bench/harness/random.ts'
import type { StepId } from '../../core/contract/judge/steps.ts'
import { en } from '../../core/messages/en/en.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { shellWord } from '../../core/protocol/shell-word.ts'
import { POLICIES, type Policy, WEBAUTHN_CASES } from '../../testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../testing/check/webauthn/run.ts'
import type { WebauthnTarget } from '../../testing/check/webauthn/server.ts'
import { parseChoices, parseServiceUrl } from '../access-key.ts'
import { type Environment, type ExitCode, misuse } from '../command.ts'
import { type Common, listCases, type Parsed, parseCommon, playAndReport } from './outcome.ts'

type Planned = (typeof PLAN)[number]
type Settings = Common<Planned> & { readonly target: WebauthnTarget; readonly policies: readonly Policy[] }

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
  const policies = parseChoices(options.policy, { known: POLICIES, name: named('policy') })
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

const play = (settings: Settings, parsed: Parsed, environment: Environment): Promise<ExitCode> => {
  const { target, cases, parallel, policies } = settings
  const again = [
    `handset check --webauthn --conformance-url ${shellWord(target.url)}`,
    ...(target.origin === undefined ? [] : [`--origin ${shellWord(target.origin)}`]),
    ...policies.map((policy) => `--policy ${policy}`),
  ].join(' ')
  return playAndReport(settings, parsed, environment, {
    ...{ about: { base_url: target.url }, again },
    play: (onResult) =>
      checkWebauthn({
        ...{ target, cases, policies: new Set(policies), parallel, signal: environment.stop, onResult },
        ...{ random: createRandom().stream('check', 'check', 'check'), now: () => realClock.now() },
      }),
  })
}
