import type { RpMistake } from '../contract/suite-findings.ts'

export type SuiteUser = { readonly user_id: string; readonly username: string }

/** A registration or a sign-in that the RP has begun, or refused to begin. */
export type Begun =
  | {
      readonly ok: true
      readonly url?: string
      /** A page that shows the code. */
      readonly shown?: { screenshot(): Promise<Uint8Array> }
      readonly kept: Readonly<Record<string, string>>
    }
  /** `refusal`: what it says. */
  | { readonly ok: false; readonly refusal: string }

export type AttemptState = 'pending' | 'done' | 'failed'

/** One browser of the RP under test. What the RP answers wrongly throws RpBroken. */
export type Visitor = {
  register(user: SuiteUser): Promise<Begun>
  signIn(user: SuiteUser): Promise<Begun>
  /** Of what this or another visitor began. */
  state(begun: Begun): Promise<AttemptState>
  /** Who is signed in here. */
  who(): Promise<string | undefined>
  /** The IDs of the passkeys that the RP shows; undefined: it says that it cannot. */
  passkeys(): Promise<readonly string[] | undefined>
  /** How many the RP says it removed; undefined: it says that it cannot. */
  remove(ids: readonly string[]): Promise<number | undefined>
}

/** How the suite speaks to the RP under test. */
export type RpDriver = {
  /** For one story; its visitors go with it. */
  open(): OpenRp
  readonly can: { readonly passkeys: boolean; readonly remove: boolean }
}

export type OpenRp = { visitor(): Visitor; close(): Promise<void> }

/** The RP did not answer in time, crashed, or answered what it never should. */
export class RpBroken extends Error {
  override readonly name = 'RpBroken'
  readonly mistake: RpMistake
  constructor(mistake: RpMistake) {
    super(mistake.code)
    this.mistake = mistake
  }
}
