import type { ValueOf } from '../../core/contract/schema.ts'
import { maskNumber } from './account.ts'
import { CREDENTIALS_SHOWN, type HeldCredential, type PhoneState } from './phone-state.ts'
import type { phoneRecord } from './stored-form.ts'

/** A stored phone, with its secrets. */
export type PhoneRecord = ValueOf<typeof phoneRecord>
export type OpenPrompt = PhoneRecord['prompts'][number]
export type PublicKeyOptions = OpenPrompt['public_key']
export type PreparedAnswer = NonNullable<OpenPrompt['answer']>
export type PlannedAnswer = NonNullable<OpenPrompt['planned']>
export type StruckFault = OpenPrompt['struck'][number]

export const viewOf = (
  record: PhoneRecord,
  now: { readonly inbox: PhoneState['inbox']; readonly credentials: readonly HeldCredential[] },
): PhoneState => ({
  id: record.id,
  name: record.name,
  model: record.model,
  ...(record.algorithm === undefined ? {} : { algorithm: record.algorithm }),
  account: { name: record.account.name, phone: maskNumber(record.account.phone) },
  ...(record.device === undefined ? {} : { device_id: record.device.id }),
  signed_in: record.device !== undefined,
  network: record.network,
  inbox: now.inbox,
  lost: record.lost,
  storage: record.storage,
  behaviour: record.behaviour,
  screen: record.screen,
  prompts: record.prompts.map(({ prompt }) => prompt),
  notifications: record.notifications,
  credentials: now.credentials.slice(-CREDENTIALS_SHOWN),
  credentials_total: now.credentials.length,
  faults: record.faults,
})

/** Made text when it is written: in memory most records are replaced before that. */
export const encodeRecord = (record: PhoneRecord): { readonly id: string; readonly json: string } => ({
  id: record.id,
  get json() {
    return JSON.stringify(record)
  },
})

/** The text is always from encodeRecord. */
export const decodeRecord = (json: string): PhoneRecord => JSON.parse(json) as PhoneRecord
