import { dirname, resolve } from 'node:path'
import type { StepId } from '../../core/contract/judge/steps.ts'
import { POLICIES, type Policy } from '../../core/contract/webauthn-server.ts'
import { en } from '../../core/messages/en/en.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { ok } from '../../core/protocol/result.ts'
import { shellWord } from '../../core/protocol/shell-word.ts'
import { WEBAUTHN_CASES } from '../../testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../testing/check/webauthn/run.ts'
import type { WebauthnTarget } from '../../testing/check/webauthn/server.ts'
import type { Environment } from '../command.ts'
import { type ExitCode, ifGiven, misuse } from '../command-end.ts'
import { readOptionFile } from '../in-file.ts'
import { parseChoices, parseServiceUrl } from '../option-values.ts'
import { readWebauthnServer } from '../read-calls.ts'
import { type ParsedCheckOptions, parseCheckPlan, playAndReport, printCases } from './outcome.ts'

/** The place in the specification that a case tests. */
const saysOf = (step: StepId) => ({
  page: 'WebAuthn Level 3',
  heading: step.startsWith('7.1') ? '§7.1 Registering a New Credential' : '§7.2 Verifying an Authentication Assertion',
  sentence: `Step ${step.split('.')[2]}: ${en.steps[step]}`,
  step,
})

const PLAN = WEBAUTHN_CASES.map((each) => ({ ...each, says: saysOf(each.step) }))

export const checkWebauthnServer = async (parsed: ParsedCheckOptions, environment: Environment): Promise<ExitCode> => {
  if (parsed.options.list === true) return printCases(PLAN, environment.terminal)
  if (parsed.options.init !== undefined) {
    const { initWebauthn } = await import('./init-webauthn.ts')
    return initWebauthn(parsed, environment)
  }
  const settings = parseSettings(parsed)
  const { target, policies, again } = settings
  return playAndReport(settings, parsed, environment, {
    ...{ about: { base_url: target.url }, again },
    play: (common) => checkWebauthn({ ...common, target, policies }),
  })
}

/** The server: how to reach it, its policies, and the option that named it. */
type Door = { readonly target: WebauthnTarget; readonly policies: readonly Policy[]; readonly args: string }

const parseSettings = (parsed: ParsedCheckOptions) => {
  const { options, named } = parsed
  const origin = ifGiven(options.origin, (text) => parseOrigin(text, named('origin')))
  const policies = parseChoices(options.policy, { known: POLICIES, name: named('policy') })
  const common = parseCheckPlan(parsed, { plan: PLAN, all: PLAN })
  const door = parseDoor(parsed)
  const again = [
    `npx handset check --webauthn ${door.args}`,
    ...(origin === undefined ? [] : [`--origin ${shellWord(origin)}`]),
    ...policies.map((policy) => `--policy ${policy}`),
    ...(options.ca === undefined ? [] : [`--ca ${shellWord(options.ca)}`]),
  ].join(' ')
  return {
    ...{ ...common, again },
    policies: new Set([...door.policies, ...policies]),
    target: { ...door.target, ...withoutUndefined({ origin, ca: common.ca }) },
  }
}

const parseDoor = ({ options, named }: ParsedCheckOptions): Door => {
  const { config: file, 'conformance-url': address } = options
  if (file === undefined) {
    if (address === undefined)
      return misuse(
        `it needs ${named('conformance-url')}, the address below which /attestation/options stands, or ${named('config')}, a file that says how the server is called; ${named('init')} writes that by its page.`,
      )
    const url = parseServiceUrl(address, named('conformance-url'))
    return { target: { url }, policies: [], args: `--conformance-url ${shellWord(url)}` }
  }
  const config = readOptionFile(named('config'), file, readWebauthnServer)
  const { ca: path, policies = [], ...target } = config
  const ca = ifGiven(path, (given) => readOptionFile(named('config'), resolve(dirname(file), given), ok))
  return { target: { ...target, ...withoutUndefined({ ca }) }, policies, args: `--config ${shellWord(file)}` }
}

const parseOrigin = (text: string, name: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')) return url.origin
  return misuse(`${name} must be an origin, such as https://shop.example; got "${text}".`)
}
