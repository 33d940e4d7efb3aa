import type { Data } from '../../core/contract/control/routes.ts'
import type { ControlClient } from '../../sdk/client.ts'
import type { ScenarioReport } from '../scenario/run-scenario.ts'
import type { StepReport } from '../scenario/scenario-setting.ts'

export type PhoneState = Data<'phones.get'>

/** One workspace of a bench, and what a tool may read and play there. */
export type ToolContext = {
  readonly client: ControlClient
  readonly pageUrl: string
  /** Reads a picture's file, below the folder that the tools may read. */
  readonly readPicture: (file: string) => Uint8Array
  /** Each scenario gets a new workspace. */
  readonly play: (source: ScenarioSource, stop: AbortSignal) => Promise<readonly PlayedScenario[]>
}

export type ScenarioSource = { readonly yaml: string } | { readonly file: string }

export type PlayedScenario = {
  readonly name: string
  readonly report: ScenarioReport
  readonly steps: readonly StepReport[]
}

/** A mistake that the caller must correct, or a refusal of the bench, as a sentence. */
export class ToolProblem extends Error {}

/** The phone with this name or ID. Without a name, the only phone, which is created if there is none. */
export const findOrCreatePhone = async (
  { client }: ToolContext,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<PhoneState> => {
  const { phones } = await client.call('phones.list', { signal })
  if (wanted !== undefined) {
    const found = phones.find(({ id, name }) => id === wanted || name === wanted)
    if (found !== undefined) return found
    throw new ToolProblem(`There is no phone "${wanted}". There are: ${namesOf(phones)}.`)
  }
  const [only, ...others] = phones
  if (only === undefined) return client.call('phones.create', { body: NEW_PHONE, signal })
  if (others.length === 0) return only
  // If only one phone has a prompt, the caller means that phone.
  const asked = phones.filter(({ prompts }) => prompts.length > 0)
  if (asked.length === 1 && asked[0] !== undefined) return asked[0]
  throw new ToolProblem(`Say which phone: ${namesOf(phones)}.`)
}

const NEW_PHONE = { name: 'Phone', account: { name: 'Alice', phone: '13800000001' } } as const

const namesOf = (phones: readonly PhoneState[]): string => phones.map(({ name }) => `"${name}"`).join(', ') || 'none'

export const screenText = ({ name, screen }: PhoneState): string => {
  switch (screen.kind) {
    case 'request': {
      const { kind, rp, user, origin, msg_id } = screen.prompt
      const what = kind === 'registration' ? 'register' : 'sign in'
      return `${name} asks: ${what} "${user.username}" at ${rp.name} (${origin})? msg_id ${msg_id}. Next: approve or refuse.`
    }
    case 'success':
      return `${name}: done, for ${screen.prompt.rp.name}. The site reads the result by itself.`
    case 'refused':
      return `${name}: the service refused it, ${screen.word}. explain says why.`
    case 'problem':
      return `${name}: ${screen.word}${screen.service_code === undefined ? '' : `, the service answered ${screen.service_code}`}.`
    default:
      return `${name} shows its ${screen.kind} screen.`
  }
}
