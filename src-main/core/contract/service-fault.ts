import type { RpOperation } from './rp/routes.ts'
import type { SeenBy } from './rp-care.ts'

/** The part of the answer that it affects, in the order in which an answer is made. */
export const SERVICE_FAULT_GROUPS = [
  'identity',
  'status',
  'address',
  'credentials',
  'envelope',
  'body',
  'http',
  'connection',
] as const

export type ServiceFaultGroup = (typeof SERVICE_FAULT_GROUPS)[number]

/**
 * The answers to which the fault applies. `pending`: `init` or `bind`; answers without a status always fit. `read`: the
 * refusal of a result that was read already.
 */
export type StruckAnswer = 'any' | 'pending' | 'init' | 'bind' | 'success' | 'fail' | 'read'

/** How a fault is tried on an RP: each is a small story of a visitor of the RP and a phone. */
export const FAULT_STORIES = [
  'sign-in-approved',
  'sign-in-rejected',
  'sign-in-ignored',
  'sign-in-begun',
  'sign-in-revisited',
  'sign-in-crossed',
  'sign-in-twice',
  'sign-in-abandoned',
  'push-approved',
  'push-rejected',
  'push-ignored',
  'registration-approved',
  'registration-rejected',
  'registration-ignored',
  'registration-begun',
  'registration-by-stranger',
  'registration-alike',
  'passkeys-listed',
  'passkeys-removed',
] as const

export type FaultStory = (typeof FAULT_STORIES)[number]

/** The action of a careful RP, by code. */
export type CarefulAct =
  | 'user'
  | 'type'
  | 'scanned'
  | 'status'
  | 'statusFirst'
  | 'contradiction'
  | 'once'
  | 'over'
  | 'again'
  | 'registered'
  | 'host'
  | 'url'
  | 'expiry'
  | 'record'
  | 'owner'
  | 'shape'
  | 'deleted'
  | 'code'
  | 'passing'
  | 'twice'
  | 'size'
  | 'redirect'
  | 'clock'
  | 'retry'
  | 'cache'
  | 'time'
  | 'lost'
  | 'text'
  | 'approved'
  | 'own'
  | 'pause'
  | 'end'
  | 'secret'
  | 'told'
  | 'stands'

export type FaultParameter =
  | { readonly kind: 'text'; readonly preset: string; readonly most: number }
  | { readonly kind: 'number'; readonly preset: number; readonly least: number; readonly most: number }

export type ServiceFault = {
  readonly group: ServiceFaultGroup
  /** The calls that it can affect. */
  readonly on: readonly RpOperation[]
  readonly when: StruckAnswer
  /** The damage to an RP that believes it: it signs in the wrong person, or it only breaks. */
  readonly harm: 'admits' | 'breaks'
  readonly story: FaultStory
  /** A second story, in a registration: a careless RP breaks in it, since a registration signs in no user. */
  readonly also?: FaultStory
  /** A third, in a sign-in by push. */
  readonly push?: FaultStory
  /** For a story with an approval: whether a careful RP still completes it. The other stories leave no choice. */
  readonly careful: 'refuses' | 'completes' | 'either'
  readonly act: CarefulAct
  /** The RP simulator whose story shows it; test/long/seen-by.test.ts runs each on both. */
  readonly seen: SeenBy
  readonly parameters?: Readonly<Record<string, FaultParameter>>
}
