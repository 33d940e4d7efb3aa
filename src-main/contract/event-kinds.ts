import type { Actor, EventKind, Fact } from './events.ts'

/** What a field can hold: one of these words, a value of this type, or an object with fields of its own. */
export type Form = readonly string[] | 'text' | 'number' | 'flag' | 'list' | 'anything' | Forms
export type Forms = { readonly [field: string]: Form }

/** Words that are too many for a complaint to list may be any text. */
type FormOf<T> = [T] extends [string]
  ? string extends T
    ? 'text'
    : readonly T[] | 'text'
  : [T] extends [number]
    ? 'number'
    : [T] extends [boolean]
      ? 'flag'
      : [T] extends [readonly unknown[]]
        ? 'list'
        : string extends keyof T
          ? 'anything'
          : FormsOf<T>

type FormsOf<T> = { readonly [K in keyof T]-?: FormOf<NonNullable<T[K]>> }

type Described = {
  readonly [K in EventKind]: {
    readonly sentence: string
    /** All fields of the kind: what a match can name. */
    readonly fields: FormsOf<Omit<Extract<Fact, { readonly kind: K }>, 'kind'>>
  }
}

const CEREMONY = ['registration', 'authentication'] as const
const STATE = ['init', 'bind', 'success', 'fail', 'timeout'] as const

/** What each kind of event reports. */
export const eventKinds = {
  exchange: {
    sentence: 'One request of an RP or a phone and its response.',
    fields: {
      interface: ['rp', 'app'],
      request: {
        ...({ id: 'text', method: 'text', target: 'text', route: 'text' } as const),
        ...({ headers: 'list', body: 'text', body_bytes: 'number' } as const),
      },
      response: { status: 'number', code: 'number', headers: 'list', body: 'text' },
      ...({ rp_id: 'text', access_key_id: 'text', device_id: 'text', msg_id: 'text', conditions: 'text' } as const),
      ...({ scope: 'text', took_us: 'number', asked_by: 'text' } as const),
    },
  },
  message: {
    sentence: 'A message begins or changes its state, `from` one `to` another.',
    fields: {
      ...({ msg_id: 'text', ceremony: CEREMONY, from: STATE, to: STATE, rp_id: 'text', user_id: 'text' } as const),
      ...({ username: 'text', method: ['qrcode', 'push'], device_id: 'text', svc_user: 'text' } as const),
      ...({ error: 'text', credential_id: 'text', url: 'text', expires_at: 'number' } as const),
    },
  },
  delivery: {
    sentence: 'An RP read a final result for the first time.',
    fields: { msg_id: 'text', state: STATE },
  },
  push: {
    sentence: 'A push waits for a phone or was sent to it.',
    fields: { msg_id: 'text', device_id: 'text', stage: ['queued', 'sent'] },
  },
  verdict: {
    sentence:
      'The judge has examined an answer, step by step. A match finds `second_opinion` only under the profile’s `must-agree`.',
    fields: {
      ...({ msg_id: 'text', ceremony: CEREMONY, accepted: 'flag' } as const),
      failure: { word: 'text', step: 'text' },
      steps: 'list',
      second_opinion: { heard: 'flag', accepts: 'flag', reason: 'text', disagrees: 'flag' },
    },
  },
  credential: {
    sentence: 'A credential was registered, used, deleted or restored.',
    fields: {
      change: ['registered', 'used', 'deleted', 'restored'],
      ...({ rp_id: 'text', user_id: 'text', credential_id: 'text' } as const),
    },
  },
  device: {
    sentence: 'A device signed in or out, or its inbox connected or disconnected.',
    fields: {
      change: ['signed_in', 'signed_out', 'connected', 'disconnected'],
      ...({ device_id: 'text', account: 'text' } as const),
    },
  },
  phone: {
    sentence: 'A virtual phone shows or does something; `phone` is its state afterwards.',
    fields: {
      change: ['created', 'changed', 'removed', 'scanned', 'pushed', 'asked', 'answered', 'problem'],
      ...({ phone_id: 'text', text: 'text', word: 'text' } as const),
      act: {
        ...({ msg_id: 'text', waits: 'flag' } as const),
        did: ['scan', 'open', 'approve', 'reject', 'decline'],
        storage: ['cloud', 'chip'],
        refused: { word: 'text', code: 'number' },
      },
      struck: { msg_id: 'text', stage: ['push', 'message'], faults: 'list', parameters: 'anything' },
      phone: 'anything',
    },
  },
  clock: {
    sentence: 'The workspace’s clock was moved.',
    fields: { change: ['frozen', 'running', 'set', 'advanced'], now: 'number', frozen: 'flag', speed: 'number' },
  },
  setting: {
    sentence: 'A person or a script changed a setting.',
    fields: {
      subject: ['rp', 'access_key', 'root', 'profile', 'conditions', 'snapshot', 'fault', 'user'],
      ...({ change: 'text', id: 'text', detail: 'anything' } as const),
    },
  },
  workspace: {
    sentence: 'The workspace as a whole changed.',
    fields: { change: ['opened', 'reset', 'restored', 'closed'] },
  },
} as const satisfies Described

export const EVENT_KINDS = Object.keys(eventKinds) as [EventKind, ...EventKind[]]

const ACTOR = { kind: ['rp', 'phone', 'service', 'control', 'clock'], id: 'text' } as const satisfies FormsOf<Actor>

/** What every event has beside the fields of its kind. */
export const eventHead = {
  ...({ v: 'number', seq: 'number', workspace: 'text', kind: EVENT_KINDS, actor: ACTOR } as const),
  ...({ cause: 'text', wall: 'number', bench: 'number' } as const),
} as const satisfies Forms
