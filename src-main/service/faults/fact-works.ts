import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { RawResponse } from '../../http/message.ts'
import type { ParsedInput } from '../request/parse-input.ts'

/** Facts that a fault may use about the call. */
export type About = {
  readonly operation: RpOperation
  readonly input: ParsedInput
  /** The correct user for the answer: the message's, or the call's. */
  readonly user_id: string
  readonly baseUrl: string
  /** The address of another message that the RP has under way, if there is one. */
  readonly otherUrl: string | undefined
  readonly parameters: Readonly<Record<string, string | number>>
  /** For faults that delay octets. */
  readonly wall: Clock
}

/** An answer on its way: an envelope until it is written, octets from then on. */
type Head = Pick<RawResponse, 'status' | 'headers'>

/**
 * The works of a fault: one change at each stage of an answer. A stage that is absent stays honest. The result may have
 * any form, since a fault may break the format.
 */
export type Works = {
  /** Replaces the input of the call. */
  readonly ask?: (input: ParsedInput) => ParsedInput
  /** Replaces `data` of the envelope; a refusal is then answered as a success. */
  readonly facts?: (data: JsonObject, about: About) => unknown
  readonly envelope?: (envelope: JsonObject, about: About) => unknown
  readonly text?: (text: string, about: About) => string | Uint8Array
  readonly head?: (head: Head, about: About) => Head
  readonly wire?: (response: RawResponse, about: About) => RawResponse
}

const user = (change: (user_id: string, about: About) => unknown): Works => ({
  facts: (data, about) => ({ ...data, user_id: change(String(data.user_id), about) }),
})
const status = (change: (status: string, about: About) => unknown): Works => ({
  facts: (data, about) => ({ ...data, status: change(String(data.status), about) }),
})
/** A lie about the state, in an answer that otherwise looks like a success. */
const claimed = (change: (status: string, about: About) => unknown): Works => ({
  facts: (data, about) => ({ ...asClaimed(data, about), status: change(String(data.status), about) }),
})
const asClaimed = (data: JsonObject, { operation, user_id }: About): JsonObject => ({
  ...data,
  ...(operation === 'assertion.result' ? { user_id } : {}),
  svc_user: data.svc_user || SOMEBODY.svc_user,
})
const url = (change: (url: string, about: About) => unknown): Works => ({
  facts: (data, about) => ({ ...data, url: change(String(data.url), about) }),
})
const expiry = (change: (seconds: number) => unknown): Works => ({
  facts: (data) => ({ ...data, expires_at: change(Number(data.expires_at)) }),
})
const list = (change: (list: readonly JsonObject[], about: About) => JsonObject): Works => ({
  facts: (data, about) => ({ ...data, ...change(Array.isArray(data.list) ? data.list.filter(isObject) : [], about) }),
})

/** Data of a success; authentications name the user. */
export const success = ({ operation, user_id }: About, more: JsonObject = {}): JsonObject => ({
  svc_user: '',
  status: 'success',
  error: '',
  ...(operation === 'assertion.result' ? { user_id } : {}),
  ...more,
})
export const SOMEBODY = { svc_user: 'Li Wei (138****5678)' } as const

const without =
  (name: string) =>
  (data: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(data).filter(([key]) => key !== name))

/** Harmless where it becomes an element. */
export const MARKUP = `<i data-handset-markup="1" title='&quot;'>markup</i>`

const FOREIGN = {
  credential_id: 'Zm9yZWlnbi1jcmVkZW50aWFs',
  credential_name: 'Somebody else’s phone',
  user_id: 'somebody-else',
  created_at: '2030-01-01T00:00:00Z',
  updated_at: '2030-01-01T00:00:00Z',
} as const

/** Lies about what happened: everything else of the answer is in order. */
export const factWorks = {
  'user-of-another': user((_, { parameters }) => parameters.user_id),
  'user-in-other-case': user((id) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase())),
  'user-with-space': user((id) => `${id} `),
  'user-in-other-normalization': user((id) => (id === id.normalize('NFD') ? id.normalize('NFC') : id.normalize('NFD'))),
  'user-cut-off': user((id) => id.slice(0, -1)),
  'user-with-zero-width-space': user((id) => `${id}\u200b`),
  'user-empty': user(() => ''),
  'user-null': user(() => null),
  'user-missing': { facts: without('user_id') },
  'user-in-list': user((id) => [id]),

  'success-unscanned': { facts: (_, about) => success(about) },
  'success-for-another-unscanned': { facts: (_, about) => success(about, { ...SOMEBODY, user_id: 'somebody-else' }) },
  'status-unknown': claimed((_, { parameters }) => parameters.status),
  'status-empty': claimed(() => ''),
  'status-missing': {
    facts: (data, about) => without('status')(asClaimed(data, about)),
  },
  'status-null': claimed(() => null),
  'status-number': claimed(() => 1),
  'status-true': claimed(() => true),
  'success-in-capitals': claimed(() => 'SUCCESS'),
  'success-with-suffix': claimed(() => 'success_pending'),
  'status-in-list': claimed(() => ['success']),
  'fail-in-capitals': claimed((told) => told.toUpperCase()),
  'fail-with-space': claimed((told) => `${told} `),
  'fail-in-past-tense': claimed(() => 'failed'),
  'fail-with-user': user((_, { user_id }) => user_id),
  'success-with-error': { facts: (data, about) => ({ ...success(about, SOMEBODY), error: data.error }) },
  'success-again': { facts: (_, about) => success(about, SOMEBODY) },
  'timeout-too-early': status(() => 'timeout'),
  'status-goes-back': { facts: (data) => ({ ...data, status: 'init', svc_user: '' }) },
  'svc-user-with-markup': { facts: (data) => ({ ...data, svc_user: `Li Wei ${MARKUP}` }) },
  'error-with-markup': { facts: (data) => ({ ...data, error: `user_rejected: ${MARKUP}` }) },
  'registered-unscanned': { facts: (_, about) => success(about) },
  'registered-not-stored': { facts: (_, about) => success(about, SOMEBODY) },

  'url-of-another-message': url((own, { parameters, otherUrl }) => parameters.url || (otherUrl ?? own)),
  'url-to-another-host': url((own) => own.replace(/^https?:\/\/[^/]+/, 'https://sign-in.example.net')),
  'url-with-script': url((own) => `javascript:alert(1)//${own}`),
  'url-without-token': url((own) => own.slice(0, own.indexOf('#'))),
  'url-with-empty-token': url((own) => own.slice(0, own.indexOf('#') + 2)),
  'url-empty': url(() => ''),
  'url-null': url(() => null),
  'url-missing': { facts: without('url') },
  'url-number': url(() => 42),
  'expires-in-past': expiry((at) => at - 3600),
  'expires-in-milliseconds': expiry((at) => at * 1000),
  'expires-never': expiry(() => Number.MAX_SAFE_INTEGER),
  'expires-as-date': expiry((at) => new Date(at * 1000).toISOString()),
  'expires-missing': { facts: without('expires_at') },
  'expires-negative': expiry(() => -1),

  'list-empty': { facts: () => ({ total: 0, list: [] }) },
  'list-of-another': list((held) => ({ total: held.length + 1, list: [...held, FOREIGN] })),
  'list-repeats': list((held) => ({ total: held.length * 2, list: [...held, ...held] })),
  'list-null': { facts: (data) => ({ ...data, list: null }) },
  'list-missing': { facts: without('list') },
  'list-as-object': list((held) => ({ list: { ...held } })),
  'list-total-too-high': list((held) => ({ total: held.length + 1 })),
  'list-with-markup': list((held) => ({ list: held.map((each) => ({ ...each, credential_name: `Phone ${MARKUP}` })) })),
  'list-ids-missing': list((held) => ({ list: held.map(without('credential_id')) })),
  'list-with-null': list((held) => ({ total: held.length + 1, list: [...held, null] })),
  'deletion-not-done': {
    ask: ({ body, ...input }) => ({ ...input, body: { ...body, credential_ids: [] } }),
    facts: (_, { input }) => ({
      total: Array.isArray(input.body.credential_ids) ? input.body.credential_ids.length : 0,
    }),
  },
  'deletion-counts-none': { facts: () => ({ total: 0 }) },
} as const satisfies Readonly<Record<string, Works>>
