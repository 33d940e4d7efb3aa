import type { RpMistake } from '../../core/contract/suite-findings.ts'
import type { Values } from './placeholders.ts'

/** Whom the suite registers: what is typed on the RP’s page or sent to its API. */
export type SuiteUser = { readonly name: string; readonly user_id: string; readonly username: string }

/** What the RP shows to be scanned: the text of a code, or a page that shows it. */
export type ShownCode = string | { screenshot(): Promise<Uint8Array> }

/** A registration or a sign-in that the RP has begun, or refused to begin. */
export type Begun =
  | {
      readonly ok: true
      /** Absent where the RP shows none, or where its configuration does not say where it stands. */
      readonly code?: ShownCode | undefined
      readonly kept: Values
      /** Of the page that shows the request. */
      readonly address?: string
      /** Nothing but the visitor’s cookies names the request. */
      readonly isNameless: boolean
    }
  /** `refusal`: what it says. */
  | { readonly ok: false; readonly refusal: string }

export type AttemptState = 'pending' | 'done' | 'failed'

/** What the visitor has before them, as evidence. */
export type Shown = { readonly text: string; readonly address?: string; readonly screenshot?: string }

/** One browser of the RP under test. What the RP answers wrongly throws RpBroken. */
export type Visitor = {
  register(user: SuiteUser): Promise<Begun>
  signIn(user: SuiteUser): Promise<Begun>
  push(user: SuiteUser): Promise<Begun>
  /** Of what this visitor began. */
  state(begun: Begun): Promise<AttemptState>
  /** Looks at what another visitor began, by its address or its id. */
  revisit(begun: Begun): Promise<void>
  /** Who is signed in here, in the RP’s words. */
  who(): Promise<string | undefined>
  signOut(): Promise<void>
  /** The IDs of the passkeys that the RP shows; undefined: it says that it cannot. */
  passkeys(): Promise<readonly string[] | undefined>
  /** How many the RP says it removed, if it says so; undefined: it says that it cannot. */
  remove(ids: readonly string[]): Promise<number | 'unsaid' | undefined>
  /** Whether a text of the service became an element of the page. */
  hasMarkup(): Promise<boolean>
  shown(how?: { readonly screenshot: boolean }): Promise<Shown>
  /** What was kept of the RP’s answers, for another browser of the same user. */
  kept(): Values
}

export type Abilities = {
  readonly push: boolean
  /** Whether a code that a push must not show would be seen. */
  readonly pushCode: boolean
  readonly signOut: boolean
  readonly passkeys: boolean
  readonly remove: boolean
}

/** How the suite speaks to the RP under test. */
export type RpDriver = {
  /** For one story; its visitors go with it. `hears`: every text that a browser gets from the RP. */
  open(hears: (text: string, where: string) => void): OpenRp
  readonly can: Abilities
}

export type OpenRp = {
  visitor(kept?: Values): Visitor
  /** Makes the account of a user where it must exist first. What it keeps, such as an enrolment word, goes with the user. */
  prepare(user: SuiteUser): Promise<SuiteUser>
  close(): Promise<void>
}

/** The RP did not answer in time, crashed, or answered what it never should. */
export class RpBroken extends Error {
  override readonly name = 'RpBroken'
  readonly mistake: RpMistake
  constructor(mistake: RpMistake) {
    super(mistake.code)
    this.mistake = mistake
  }
}
