import { en } from '../messages/en/en.ts'
import { phoneText } from '../messages/phone-text.ts'
import type { ControlClient, ControlPhone } from '../sdk/client.ts'

export type BegunMessage = { readonly msg_id: string; readonly url: string; readonly method: 'qrcode' | 'push' | null }

/** What steps hand on to each other. */
export type ScenarioState = {
  readonly client: ControlClient
  readonly rp: string
  /** Phone ids by the scenario's short names. */
  readonly phones: Readonly<Record<string, { readonly id: string; readonly name: string }>>
  /** The RP's requests by the names steps gave them; the latest one under ''. */
  readonly messages: Map<string, BegunMessage>
  /** Events after this one happened since the step before began; a wait moves it to the event it found. */
  cursor: number
  /** Real time, for limits. */
  readonly micros: () => number
  readonly pause: (ms: number) => Promise<void>
}

/** What was expected and what came; the code, where it was a refusal. */
export type StepFailure = {
  readonly ok: false
  readonly expected: string
  readonly received: string
  readonly code?: number
}

export type StepOutcome = { readonly ok: true; readonly said: string } | StepFailure

export const said = (text: string): StepOutcome => ({ ok: true, said: text })

export const failure = (expected: string, received: string): StepFailure => ({ ok: false, expected, received })

export const refusal = ({ code, error }: { readonly code: number; readonly error: string }): StepFailure => ({
  ...failure('success', code === 0 ? error : `${code} ${error}`),
  code,
})

/** The scenario asks for something that does not exist: the author's mistake, not the service's. */
export class ScenarioMistake extends Error {}

export const messageOf = (state: ScenarioState, name = ''): BegunMessage => {
  const found = state.messages.get(name)
  if (found === undefined) throw new ScenarioMistake(`there is no message "${name}" yet.`)
  return found
}

type OfPhone = { readonly phone: string }

const phoneOf = (state: ScenarioState, { phone }: OfPhone) => {
  const found = state.phones[phone]
  if (found === undefined) throw new ScenarioMistake(`there is no phone "${phone}".`)
  return found
}

export const idOf = (state: ScenarioState, input: OfPhone) => ({ id: phoneOf(state, input).id })

export const nameOf = (state: ScenarioState, input: OfPhone): string => phoneOf(state, input).name

/** A problem on the screen is a failed step; anything else is what the step did. */
export const shows = (screen: ControlPhone['screen']): StepOutcome => {
  if (screen.kind === 'problem') return failure('no problem on the screen', `${screen.word}: ${phoneText(en, screen)}`)
  if (screen.kind === 'refused') return said(phoneText(en, screen))
  if (!('prompt' in screen)) return said(`shows ${screen.kind}`)
  const { kind, rp } = screen.prompt
  if (screen.kind === 'success')
    return said(kind === 'registration' ? `registered with ${rp.name}` : `signed in to ${rp.name}`)
  return said(kind === 'registration' ? `asks: register with ${rp.name}?` : `asks: sign in to ${rp.name}?`)
}
