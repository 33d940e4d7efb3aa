import type { MessageKind } from '../../src-main/core/protocol/message-address.ts'
import type { CHAPTERS } from '../ui/address.ts'
import type { Deed, Player } from './deeds.ts'

export type Chapter = (typeof CHAPTERS)[number]

export type ChapterAct = {
  readonly ceremony: MessageKind
  readonly by: Exclude<Player, 'stage'>
  /** For a sign-in that must fail, the reason. */
  readonly ends: 'success' | 'origin_mismatch' | 'no_matching_credential'
}

export type Beat = {
  readonly name: string
  /** The first step has none. */
  readonly deed?: Deed
  /** Condition for this step: an act has come to a state, or the bank has deleted the passkey. */
  readonly at?: readonly [act: number, state: 'init' | 'bind' | 'over'] | 'revoked'
  /** The part to show if there is room for only one. */
  readonly eye: 'page' | 'phone'
  /** Alice's first phone when absent. */
  readonly phone?: 'new'
}

/** `relayed`: a page that is not the bank's shows the bank's code. */
export type Script = { readonly relayed?: true; readonly acts: readonly ChapterAct[]; readonly beats: readonly Beat[] }

const registration = { ceremony: 'registration', by: 'presenter', ends: 'success' } as const
const signIn = { ceremony: 'authentication', by: 'presenter', ends: 'success' } as const

/** Each step corresponds to a recorded state of the workspace. */
export const SCRIPTS: Readonly<Record<Chapter, Script>> = {
  key: {
    acts: [registration],
    beats: [
      { name: 'meet', eye: 'page' },
      { name: 'code', deed: 'register', at: [0, 'init'], eye: 'page' },
      { name: 'scan', deed: 'scan', at: [0, 'bind'], eye: 'phone' },
      { name: 'key', deed: 'touch', at: [0, 'over'], eye: 'phone' },
    ],
  },
  touch: {
    acts: [signIn, signIn],
    beats: [
      { name: 'back', eye: 'page' },
      { name: 'code', deed: 'ask-code', at: [0, 'init'], eye: 'page' },
      { name: 'scan', deed: 'scan', at: [0, 'bind'], eye: 'phone' },
      { name: 'in', deed: 'touch', at: [0, 'over'], eye: 'page' },
      { name: 'push', deed: 'ask-push', at: [1, 'init'], eye: 'phone' },
      { name: 'open', deed: 'open', at: [1, 'bind'], eye: 'phone' },
      { name: 'again', deed: 'touch', at: [1, 'over'], eye: 'page' },
    ],
  },
  thief: {
    relayed: true,
    acts: [{ ceremony: 'authentication', by: 'thief', ends: 'origin_mismatch' }],
    beats: [
      { name: 'lure', eye: 'page' },
      { name: 'relay', deed: 'relay', at: [0, 'init'], eye: 'page' },
      { name: 'names', deed: 'scan', at: [0, 'bind'], eye: 'phone' },
      { name: 'broken', deed: 'touch', at: [0, 'over'], eye: 'page' },
    ],
  },
  lost: {
    acts: [registration, { ceremony: 'authentication', by: 'finder', ends: 'no_matching_credential' }],
    beats: [
      { name: 'gone', eye: 'phone' },
      { name: 'revoked', deed: 'revoke', at: 'revoked', eye: 'page' },
      { name: 'code', deed: 'replace', at: [0, 'init'], eye: 'page', phone: 'new' },
      { name: 'scan', deed: 'scan', at: [0, 'bind'], eye: 'phone', phone: 'new' },
      { name: 'key', deed: 'touch', at: [0, 'over'], eye: 'phone', phone: 'new' },
      { name: 'finder', deed: 'try-old', at: [1, 'init'], eye: 'page' },
      { name: 'turned', deed: 'scan', at: [1, 'over'], eye: 'phone' },
    ],
  },
}
