import type { Recording } from '../core/contract/parity-report.ts'
import { defaultProfile, type Profile } from '../core/contract/profile.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { shellWord } from '../core/protocol/shell-word.ts'
import type { SigningKey } from '../sdk/sign-request.ts'
import { manualPhone } from '../testing/check/check-phone.ts'
import { measureProfile } from '../testing/check/measure.ts'
import { ALL_CASES, planCases, runCheck } from '../testing/check/run-check.ts'
import { readProfileFile } from './bench-options.ts'
import { type ParsedCheckOptions, parseCheckPlan, playAndReport, printCases } from './check/outcome.ts'
import { type Environment, makeCommand } from './command.ts'
import { type ExitCode, ifGiven, misuse, needed, notDone } from './command-end.ts'
import { readOptionFile } from './in-file.ts'
import { parseAccessKey, parseServiceUrl, refuseStray } from './option-values.ts'
import { writeWholeFile } from './write-whole.ts'

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
    refuseStray(parsed, ['init', 'config', 'conformance-url', 'origin', 'policy'], 'webauthn')
    if (options.list === true) return printCases(ALL_CASES, terminal)
    const settings = parseSettings(parsed)
    if (options['by-hand'] === true && environment.ask === undefined)
      misuse(`${parsed.named('by-hand')} needs somebody at the keyboard.`)
    return play(settings, parsed, environment)
  },
)

const parseSettings = (parsed: ParsedCheckOptions) => {
  const { options, named } = parsed
  const keyOf = (name: 'access-key' | 'other-access-key'): SigningKey | undefined =>
    ifGiven(options[name], (text) => {
      const { id, secret } = parseAccessKey(text, named(name))
      return { accessKeyId: id, secretKey: secret }
    })
  const baseUrl = parseServiceUrl(options['base-url'], named('base-url'))
  const appUrl = ifGiven(options['app-url'], (text) => parseServiceUrl(text, named('app-url')))
  const [key, otherKey] = [keyOf('access-key'), keyOf('other-access-key')]
  const changed = ifGiven(options.profile, (file) => readOptionFile(named('profile'), file, readProfileFile))
  if (key === undefined) return misuse(`it needs ${named('access-key')}: the key of an RP whose users may come and go.`)
  const profile: Profile = { ...defaultProfile, ...changed }
  const common = parseCheckPlan(parsed, { plan: planCases(profile), all: ALL_CASES })
  const { ca } = common
  return { ...common, profile, target: { baseUrl, key, ...withoutUndefined({ appUrl, otherKey, ca }) } }
}

type Settings = ReturnType<typeof parseSettings>

const play = (settings: Settings, parsed: ParsedCheckOptions, environment: Environment): Promise<ExitCode> => {
  const { options } = parsed
  const { terminal, ask } = environment
  const { target, profile } = settings
  const { baseUrl, appUrl } = target
  const hand =
    options['by-hand'] === true && ask !== undefined ? manualPhone({ baseUrl, say: terminal.out, ask }) : undefined
  const { record } = options
  return playAndReport(settings, parsed, environment, {
    about: { base_url: baseUrl, ...(appUrl === undefined ? {} : { app_url: appUrl }) },
    again: `npx handset check --base-url ${shellWord(baseUrl)}${appUrl === undefined ? '' : ` --app-url ${shellWord(appUrl)}`}`,
    isByHand: hand !== undefined,
    play: (common) => runCheck({ ...common, target, profile, hand, slow: options.slow === true }),
    keep: async (report, { random, now }) => {
      if (record === undefined) return
      const measured = await measureProfile(target, { profile, random, now, phones: appUrl !== undefined })
      const recording: Recording = { ...report, profile, measured }
      needed(writeWholeFile(record, `${JSON.stringify(recording, undefined, 1)}\n`), notDone)
    },
  })
}
