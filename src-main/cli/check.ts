import { realClock } from '../bench/harness/clock.ts'
import { createRandom } from '../bench/harness/random.ts'
import type { Recording } from '../core/contract/parity-report.ts'
import { defaultProfile, type Profile } from '../core/contract/profile.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { shellWord } from '../core/protocol/shell-word.ts'
import { handPhone } from '../testing/check/check-phone.ts'
import { measure } from '../testing/check/measure.ts'
import { ALL_CASES, type PlannedCase, planOf, runCheck } from '../testing/check/run-check.ts'
import type { CheckTarget } from '../testing/check/world.ts'
import { readProfileFile } from './bench-options.ts'
import { type Common, listCases, type Parsed, parseCommon, playAndReport } from './check/outcome.ts'
import { type Environment, type ExitCode, makeCommand, misuse } from './command.ts'
import { inFile } from './in-file.ts'
import { parseAccessKey, parseServiceUrl } from './option-values.ts'
import { writeWhole } from './write-whole.ts'

type Settings = Common<PlannedCase> & { readonly target: CheckTarget; readonly profile: Profile }

export const check = makeCommand(
  {
    name: 'check',
    usage: '--base-url URL | --webauthn [OPTIONS]',
    more: [
      'Each case stands on a paragraph of docs/interface, or with --webauthn on a step of WebAuthn Level 3. A request that must be refused differs in one thing from one that must be accepted. Check only what you may: it registers users, and sends what is wrong.',
      'Exit code 0: nothing speaks against the service. 1: something FAILED, is VACUOUS, or passes though it is expected to fail. 2: something cannot be read. 3: the service does not answer, nothing could be checked, or a report could not be written. 130: ended by hand.',
    ],
  },
  async (parsed, environment) => {
    const { options } = parsed
    const { terminal } = environment
    if (options.webauthn === true) {
      const { checkWebauthnServer } = await import('./check/webauthn.ts')
      return checkWebauthnServer(parsed, environment)
    }
    const stray = OF_WEBAUTHN.find((name) => options[name] !== undefined && parsed.named(name).startsWith('--'))
    if (stray !== undefined)
      return misuse(environment, 'check', `${parsed.named(stray)} belongs to --webauthn, which is missing.`)
    if (options.list === true) return listCases(ALL_CASES, terminal)
    const settings = parseSettings(parsed)
    if (!settings.ok) return misuse(environment, 'check', settings.error)
    if (options['by-hand'] === true && environment.ask === undefined)
      return misuse(environment, 'check', `${parsed.named('by-hand')} needs somebody at the keyboard.`)
    return play(settings.value, parsed, environment)
  },
)

const OF_WEBAUTHN = ['init', 'config', 'conformance-url', 'origin', 'policy'] as const

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
  const common = parseCommon({ options, named }, { plan, all: ALL_CASES })
  if (!common.ok) return common
  return ok({
    target: {
      baseUrl: baseUrl.value,
      ...(appUrl.value === undefined ? {} : { appUrl: appUrl.value }),
      key: { accessKeyId: key.value.id, secretKey: key.value.secret },
      ...(otherKey.value === undefined
        ? {}
        : { otherKey: { accessKeyId: otherKey.value.id, secretKey: otherKey.value.secret } }),
      ...(common.value.ca === undefined ? {} : { ca: common.value.ca }),
    },
    ...common.value,
    profile: whole,
  })
}

const play = (settings: Settings, parsed: Parsed, environment: Environment): Promise<ExitCode> => {
  const { options } = parsed
  const { terminal, stop, ask } = environment
  const { target, cases, profile, parallel } = settings
  const { baseUrl, appUrl } = target
  const hand =
    options['by-hand'] === true && ask !== undefined ? handPhone({ baseUrl, say: terminal.out, ask }) : undefined
  const random = createRandom().stream('check', 'check', 'check')
  const now = (): number => realClock.now()
  const { record } = options
  return playAndReport(settings, parsed, environment, {
    about: { base_url: baseUrl, ...(appUrl === undefined ? {} : { app_url: appUrl }) },
    again: `npx handset check --base-url ${shellWord(baseUrl)}${appUrl === undefined ? '' : ` --app-url ${shellWord(appUrl)}`}`,
    isByHand: hand !== undefined,
    play: (onResult) =>
      runCheck({
        ...{ target, cases, profile, parallel, hand, random, now, onResult },
        ...{ slow: options.slow === true, signal: stop },
      }),
    keep: async (report) => {
      if (record === undefined) return ok(undefined)
      const measured = await measure(target, { profile, random, now, phones: appUrl !== undefined })
      const recording: Recording = { ...report, profile, measured }
      return writeWhole(record, `${JSON.stringify(recording, undefined, 1)}\n`)
    },
  })
}
