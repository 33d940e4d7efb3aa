import type { RpMistake } from '../../core/contract/suite-findings.ts'
import type { Values } from '../calls/placeholders.ts'

export type SuiteUser = { readonly name: string; readonly user_id: string; readonly username: string }

/** The RP's code to be scanned: its text, or a page that shows it. `isThere`: an element where the code was. */
export type ShownCode = string | { screenshot(): Promise<Uint8Array>; isThere(): Promise<boolean> }

export type Begun =
  | {
      readonly ok: true
      /** Absent if the RP shows none, or if its configuration does not say where it is. */
      readonly code?: ShownCode | undefined
      readonly kept: Values
      /** Addresses that name the request, as far as the page has shown or fetched them. */
      addresses?(): readonly string[]
      /** True if only the visitor’s cookies identify the request, as far as the RP has shown. */
      isNameless(): boolean
    }
  /** `refusal`: the RP's text. */
  | { readonly ok: false; readonly refusal: string }

export type AttemptState = 'pending' | 'done' | 'failed'

export type ShownPage = { readonly text: string; readonly address?: string; readonly screenshot?: string }

/** One browser of the RP under test. A wrong answer of the RP throws RpBroken. */
export type Visitor = {
  register(user: SuiteUser): Promise<Begun>
  signIn(user: SuiteUser): Promise<Begun>
  push(user: SuiteUser): Promise<Begun>
  state(begun: Begun): Promise<AttemptState>
  /** Opens another visitor's request, by its address or its id. */
  revisit(begun: Begun): Promise<void>
  /** Leaves the RP's page: from here on it cannot ask for the result. */
  leave(): Promise<void>
  /** The signed-in user, in the RP’s words. */
  who(): Promise<string | undefined>
  signOut(): Promise<void>
  /** The IDs of the passkeys that the RP shows; undefined: it says that it cannot. */
  passkeys(): Promise<readonly string[] | undefined>
  /** The number of removed passkeys, `unsaid` if the RP does not report it; undefined: the RP says that it cannot. */
  remove(ids: readonly string[]): Promise<number | 'unsaid' | undefined>
  /** True if a text of the service became an element of the page. */
  hasMarkup(): Promise<boolean>
  shown(how?: { readonly screenshot: boolean }): Promise<ShownPage>
  /** Values kept of the RP’s answers, for another browser of the same user. */
  kept(): Values
}

export type RpAbilities = {
  readonly push: boolean
  /** True if the driver would see a code in a sign-in by push, which must show none. */
  readonly pushCode: boolean
  readonly signOut: boolean
  readonly passkeys: boolean
  readonly remove: boolean
}

export type RpDriver = {
  /** Opens the RP for one story and its visitors. `onText` gets every text that a browser receives from the RP. */
  open(onText: (text: string, where: string) => void): OpenRp
  readonly can: RpAbilities
}

export type OpenRp = {
  visitor(kept?: Values): Visitor
  /** Makes the account of a user if it must exist first. Its values, such as an enrolment word, stay with the user. */
  prepare(user: SuiteUser): Promise<SuiteUser>
  close(): Promise<void>
}

/** The RP did not answer in time, crashed, or gave an answer that is never allowed. */
export class RpBroken extends Error {
  override readonly name = 'RpBroken'
  readonly mistake: RpMistake
  constructor(mistake: RpMistake) {
    super(mistake.code)
    this.mistake = mistake
  }
}

/** The RP may give a stranger any answer, even a broken one. */
export const ignoreBrokenRp = (error: unknown): void => {
  if (!(error instanceof RpBroken)) throw error
}
