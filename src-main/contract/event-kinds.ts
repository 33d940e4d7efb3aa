import type { EventKind, Fact } from './events.ts'

type FactOf<K extends EventKind> = Extract<Fact, { readonly kind: K }>
type ChangeOf<F> = F extends { readonly change: infer Change } ? Change : never

type Described = {
  readonly [K in EventKind]: {
    readonly sentence: string
    /** All fields of the kind: what a match can name. */
    readonly fields: readonly (keyof FactOf<K>)[]
    /** What `change` can be, where it is a closed list. */
    readonly changes?: readonly ChangeOf<FactOf<K>>[]
  }
}

/** What each kind of event reports. */
export const eventKinds = {
  exchange: {
    sentence: 'One request of an RP or a phone and its response.',
    fields: [
      ...(['interface', 'request', 'response', 'rp_id', 'access_key_id', 'device_id', 'msg_id', 'conditions'] as const),
      ...(['took_us', 'asked_by'] as const),
    ],
  },
  message: {
    sentence: 'A message begins or changes its state, `from` one `to` another.',
    fields: [
      ...(['msg_id', 'ceremony', 'from', 'to', 'rp_id', 'user_id', 'username', 'method', 'device_id'] as const),
      ...(['svc_user', 'error', 'credential_id', 'url', 'expires_at'] as const),
    ],
  },
  delivery: { sentence: 'An RP read a final result for the first time.', fields: ['msg_id', 'state'] },
  push: { sentence: 'A push waits for a phone or was sent to it.', fields: ['msg_id', 'device_id', 'stage'] },
  verdict: {
    sentence:
      'The judge has examined an answer, step by step. A match finds `second_opinion` only under the profile’s `must-agree`.',
    fields: ['msg_id', 'ceremony', 'accepted', 'failure', 'steps', 'second_opinion'],
  },
  credential: {
    sentence: 'A credential was registered, used, deleted or restored.',
    fields: ['change', 'rp_id', 'user_id', 'credential_id'],
    changes: ['registered', 'used', 'deleted', 'restored'],
  },
  device: {
    sentence: 'A device signed in or out, or its inbox connected or disconnected.',
    fields: ['change', 'device_id', 'account'],
    changes: ['signed_in', 'signed_out', 'connected', 'disconnected'],
  },
  phone: {
    sentence: 'A virtual phone shows or does something; `phone` is its state afterwards.',
    fields: ['change', 'phone_id', 'text', 'struck', 'phone'],
    changes: ['created', 'changed', 'removed', 'scanned', 'pushed', 'asked', 'answered', 'problem'],
  },
  clock: {
    sentence: 'The workspace’s clock was moved.',
    fields: ['change', 'now', 'frozen', 'speed'],
    changes: ['frozen', 'running', 'set', 'advanced'],
  },
  setting: { sentence: 'A person or a script changed a setting.', fields: ['subject', 'change', 'id', 'detail'] },
  workspace: {
    sentence: 'The workspace as a whole changed.',
    fields: ['change'],
    changes: ['opened', 'reset', 'restored', 'closed'],
  },
} as const satisfies Described

/** What every event has beside the fields of its kind. */
export const EVENT_HEAD = ['v', 'seq', 'workspace', 'kind', 'actor', 'cause', 'wall', 'bench'] as const

export const EVENT_KINDS = Object.keys(eventKinds) as [EventKind, ...EventKind[]]
