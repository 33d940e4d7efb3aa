import type { RpOperation } from './rp/routes.ts'
import type { SeenBy } from './rp-care.ts'

const RESULT = ['assertion.result'] as const
const RESULTS = ['assertion.result', 'attestation.result'] as const
const BEGIN = ['assertion.options', 'attestation.options'] as const
const LIST = ['credentials.list'] as const
const DELETE = ['credentials.delete'] as const
const ALL = [...RESULTS, ...BEGIN, ...LIST, ...DELETE] as const

const row = <const F extends ServiceFault>(fault: F): F => fault

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

/** A sign-in that its user approved, and whose result names the user wrongly. */
const identity = row({
  group: 'identity',
  on: RESULT,
  when: 'success',
  harm: 'admits',
  story: 'sign-in-approved',
  careful: 'refuses',
  act: 'user',
  seen: 'either',
})
/** A status that is ahead of the real one. */
const claim = row({
  group: 'status',
  on: RESULTS,
  when: 'pending',
  harm: 'admits',
  story: 'sign-in-ignored',
  careful: 'refuses',
  act: 'status',
  seen: 'careless',
})
const status = row({ ...claim, also: 'registration-ignored' })
const rejected = row({ ...claim, when: 'fail', story: 'sign-in-rejected', also: 'registration-rejected' })
/** Words of the service that a page may show. */
const markup = row({
  ...claim,
  harm: 'breaks',
  story: 'sign-in-approved',
  careful: 'either',
  act: 'text',
  seen: 'neither',
})
/** Faults in data that the RP shows to its visitor. */
const beginning = row({
  group: 'address',
  on: BEGIN,
  when: 'any',
  harm: 'breaks',
  story: 'sign-in-begun',
  careful: 'refuses',
  act: 'url',
  seen: 'either',
})
/** An address that must not be shown. */
const address = row({ ...beginning, also: 'registration-begun' })
/** An expiry that must not end what the user is about to approve. */
const expiry = row({
  ...beginning,
  story: 'sign-in-approved',
  also: 'registration-approved',
  careful: 'either',
  act: 'expiry',
  seen: 'neither',
})
const credentials = row({
  group: 'credentials',
  on: LIST,
  when: 'any',
  harm: 'breaks',
  story: 'passkeys-listed',
  careful: 'refuses',
  act: 'shape',
  seen: 'either',
})
const takeover = row({ ...credentials, harm: 'admits', story: 'registration-by-stranger', act: 'record' })
const envelope = row({ ...status, group: 'envelope', act: 'code' })
/** Faults that block one poll: the next one succeeds. */
const passing = row({
  group: 'body',
  on: ALL,
  when: 'pending',
  harm: 'breaks',
  story: 'sign-in-approved',
  careful: 'either',
  act: 'passing',
  seen: 'careless',
})
const http = row({ ...passing, group: 'http' })
const connection = row({ ...passing, group: 'connection' })

const text = (preset: string, most: number): FaultParameter => ({ kind: 'text', preset, most })
const number = (preset: number, least: number, most: number): FaultParameter => ({
  kind: 'number',
  preset,
  least,
  most,
})
/** A century before or after. */
const seconds = number(86_400, -3_153_600_000, 3_153_600_000)

/** Every fault of the service towards an RP, with its effect on a careless RP. */
export const SERVICE_FAULTS = {
  'user-of-another': { ...identity, push: 'push-approved', parameters: { user_id: text('somebody-else', 256) } },
  'user-in-other-case': identity,
  'user-with-space': identity,
  'user-in-other-normalization': identity,
  'user-cut-off': identity,
  'user-with-zero-width-space': identity,
  'user-empty': { ...identity, seen: 'careful' },
  'user-null': { ...identity, seen: 'careful' },
  'user-missing': { ...identity, push: 'push-approved', seen: 'careful' },
  'user-in-list': { ...identity, act: 'type', seen: 'careful' },

  'success-unscanned': { ...status, when: 'init', act: 'scanned', push: 'push-ignored', seen: 'either' },
  'success-for-another-unscanned': { ...status, when: 'init', act: 'user', seen: 'either' },
  'status-unknown': { ...status, parameters: { status: text('verified', 64) } },
  'status-empty': status,
  'status-missing': status,
  'status-null': status,
  'status-number': status,
  'status-true': status,
  'success-in-capitals': status,
  'success-with-suffix': status,
  'status-in-list': { ...status, push: 'push-ignored' },
  'fail-in-capitals': { ...rejected, push: 'push-rejected' },
  'fail-with-space': rejected,
  'fail-in-past-tense': rejected,
  'fail-with-user': { ...rejected, act: 'statusFirst' },
  'success-with-error': { ...rejected, act: 'contradiction', push: 'push-rejected', seen: 'either' },
  'success-again': { ...claim, when: 'read', story: 'sign-in-revisited', act: 'once', seen: 'neither' },
  'timeout-too-early': {
    ...claim,
    story: 'sign-in-approved',
    also: 'registration-approved',
    act: 'over',
    seen: 'either',
  },
  'status-goes-back': {
    ...passing,
    group: 'status',
    on: RESULTS,
    when: 'bind',
    also: 'registration-approved',
    act: 'again',
  },
  'svc-user-with-markup': { ...markup, when: 'bind', also: 'registration-approved' },
  'error-with-markup': { ...rejected, harm: 'breaks', act: 'text', seen: 'neither' },
  'registered-unscanned': {
    ...claim,
    on: ['attestation.result'],
    harm: 'breaks',
    story: 'registration-ignored',
    act: 'registered',
    seen: 'either',
  },
  'registered-not-stored': {
    ...claim,
    on: ['attestation.result'],
    when: 'bind',
    harm: 'breaks',
    story: 'registration-ignored',
    act: 'registered',
    seen: 'either',
  },

  'url-of-another-message': {
    parameters: { url: text('', 2048) },
    ...beginning,
    on: ['assertion.options'],
    harm: 'admits',
    story: 'sign-in-crossed',
    act: 'user',
  },
  'url-to-another-host': { ...address, act: 'host' },
  'url-with-script': { ...address, act: 'host' },
  'url-without-token': address,
  'url-with-empty-token': address,
  'url-empty': address,
  'url-null': address,
  'url-missing': address,
  'url-number': address,
  'expires-in-past': { ...expiry, seen: 'careless' },
  'expires-in-milliseconds': expiry,
  'expires-never': expiry,
  'expires-as-date': { ...expiry, seen: 'either' },
  'expires-missing': { ...expiry, seen: 'either' },
  'expires-negative': { ...expiry, seen: 'careless' },

  'list-empty': takeover,
  'list-refused': takeover,
  'list-of-another': { ...credentials, act: 'owner' },
  'list-repeats': { ...credentials, act: 'owner' },
  'list-null': credentials,
  'list-missing': credentials,
  'list-as-object': credentials,
  'list-total-too-high': credentials,
  'list-with-markup': { ...credentials, act: 'text' },
  'list-ids-missing': credentials,
  'list-with-null': credentials,
  'deletion-not-done': { ...credentials, on: DELETE, story: 'passkeys-removed', act: 'deleted', seen: 'careful' },
  'deletion-counts-none': { ...credentials, on: DELETE, story: 'passkeys-removed', act: 'deleted', seen: 'careless' },

  'error-code-with-success': envelope,
  'http-error-with-success': envelope,
  'code-missing': envelope,
  'code-null': envelope,
  'code-false': envelope,
  'data-empty': { ...envelope, act: 'status' },
  'data-list': { ...envelope, act: 'status' },
  'data-as-text': { ...envelope, act: 'status' },
  'data-null': { ...passing, group: 'envelope' },
  'data-missing': { ...passing, group: 'envelope' },
  'envelope-missing': { ...passing, group: 'envelope' },
  'envelope-in-list': { ...passing, group: 'envelope' },

  'members-twice': { ...rejected, group: 'body', act: 'twice' },
  'html-page': { ...passing, push: 'push-approved' },
  'gateway-page': passing,
  'gateway-page-for-good': {
    ...passing,
    on: RESULTS,
    when: 'any',
    story: 'sign-in-abandoned',
    act: 'expiry',
  },
  'body-cut-off': passing,
  'body-empty': passing,
  'body-null': passing,
  'body-with-byte-order-mark': passing,
  'body-in-utf-16': passing,
  'body-with-trailing-text': passing,
  'body-with-not-a-number': passing,
  'body-gigantic': { ...passing, parameters: { bytes: number(1024 ** 3, 1, 1024 ** 4) }, act: 'size' },

  'no-content': http,
  redirect: { ...http, parameters: { location: text('/', 2048) }, act: 'redirect' },
  'redirect-for-good': {
    ...http,
    parameters: { location: text('https://sign-in.example.net/', 2048) },
    act: 'redirect',
  },
  'not-modified': http,
  'content-type-missing': http,
  'content-type-wrong': http,
  'content-type-in-capitals': http,
  'gzip-unasked': http,
  'encoding-unknown': http,
  'clock-off': { ...http, parameters: { seconds }, act: 'clock' },
  'retry-after-a-day': { ...http, parameters: { seconds }, act: 'retry' },
  'retry-after-date': { ...http, act: 'retry' },
  'retry-after-words': { ...http, act: 'retry' },
  'answer-cacheable': { ...http, act: 'cache' },

  'connection-cut': connection,
  'no-answer': { ...connection, act: 'time' },
  'body-stalls': { ...connection, act: 'time' },
  'slow-drip': { ...connection, parameters: { pause_ms: number(500, 1, 10_000) }, act: 'time' },
  'final-answer-lost': { ...rejected, group: 'connection', act: 'lost', push: 'push-rejected' },
  'final-answer-cut-off': { ...rejected, group: 'connection', act: 'lost' },
  'length-too-short': connection,
  'length-too-long': connection,
  'length-twice': connection,
  'length-and-chunks': connection,
  'chunks-cut-off': connection,
  'chunk-size-wrong': connection,
  'header-malformed': connection,
  'headers-too-large': connection,
  'protocol-switched': connection,
  'not-http': connection,
} as const satisfies Readonly<Record<string, ServiceFault>>

export type ServiceFaultName = keyof typeof SERVICE_FAULTS

export const SERVICE_FAULT_NAMES = Object.keys(SERVICE_FAULTS) as [ServiceFaultName, ...ServiceFaultName[]]

export const isServiceFaultName = (text: string): text is ServiceFaultName => Object.hasOwn(SERVICE_FAULTS, text)

/** Every story in which a fault is tried. */
export const storiesOf = (name: ServiceFaultName): readonly FaultStory[] => {
  const { story, also, push } = serviceFaultOf(name)
  return [story, also, push].filter((each) => each !== undefined)
}

export const serviceFaultOf = (name: ServiceFaultName): ServiceFault => SERVICE_FAULTS[name]

/** Most armed faults in one workspace: each request searches them. */
export const MOST_ARMED = 1000
