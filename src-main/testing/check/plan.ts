import type { Profile } from '../../core/contract/profile.ts'
import type { Case, Need } from './case.ts'
import { ceremonyCases } from './cases/ceremonies.ts'
import { credentialCases } from './cases/credentials.ts'
import { messageCases } from './cases/messages.ts'
import { parameterCases } from './cases/parameters.ts'
import { phoneAppCases } from './cases/phone-app.ts'
import { signingCases } from './cases/signing.ts'

export type PlannedCase = Case & { readonly id: string }

/** Form of a name in files and on the command line. */
const idOf = ({ name }: Case): string =>
  name
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

export const ALL_CASES: readonly PlannedCase[] = [
  ...signingCases,
  ...parameterCases,
  ...messageCases,
  ...credentialCases,
  ...phoneAppCases,
  ...ceremonyCases,
].map((each) => ({ ...each, id: idOf(each) }))

/** The cases that a service with this profile can be held to. */
export const planOf = (profile: Profile): readonly PlannedCase[] =>
  ALL_CASES.filter(({ applies }) => applies?.(profile) ?? true)

/** Why a case cannot be played, by what it needs. */
export const MISSING: Readonly<Record<Need, string>> = {
  phone: 'nobody answers: give --app-url, or --by-hand',
  'own-phone': 'it takes a phone of ours: give --app-url',
  'other-rp': 'it takes the access key of another RP: give --other-access-key',
  expiry: 'it waits until a message expires: give --slow',
}
