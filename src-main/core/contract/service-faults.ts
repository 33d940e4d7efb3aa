import type { RpOperation } from './rp/routes.ts'
import type { SeenBy } from './rp-care.ts'

const RESULT = ['assertion.result'] as const
const RESULTS = ['assertion.result', 'attestation.result'] as const
const BEGIN = ['assertion.options', 'attestation.options'] as const
const LIST = ['credentials.list'] as const
const DELETE = ['credentials.delete'] as const
const ALL = [...RESULTS, ...BEGIN, ...LIST, ...DELETE] as const

/** In the order in which an answer is made, with their English headings. */
export const serviceFaultGroups = {
  identity: 'Who signed in',
  status: 'What happened',
  address: 'The address and its expiry',
  credentials: 'Credentials',
  envelope: 'The envelope',
  body: 'The body',
  http: 'HTTP',
  connection: 'The connection',
} as const satisfies Readonly<Record<string, string>>

export type ServiceFaultGroup = keyof typeof serviceFaultGroups

export const SERVICE_FAULT_GROUPS = Object.keys(serviceFaultGroups) as [ServiceFaultGroup, ...ServiceFaultGroup[]]

/**
 * The answers to which the fault applies. `pending`: `init` or `bind`; answers without a status always fit. `read`: the
 * refusal of a result that was read already.
 */
export type FaultyAnswer = 'any' | 'pending' | 'init' | 'bind' | 'success' | 'fail' | 'read'

/** Stories in which a fault is tried on an RP: what a visitor of the RP does, and the phone; in English. */
export const serviceFaultStories = {
  'sign-in-approved': 'a user signs in and approves',
  'sign-in-rejected': 'a user signs in and rejects it',
  'sign-in-ignored': 'a sign-in is requested for a user who never scans',
  'sign-in-begun': 'a user asks to sign in, and the RP must refuse to begin',
  'sign-in-revisited': 'another browser asks for a sign-in, before and after success',
  'sign-in-crossed': 'another user approves what the service presents as their sign-in',
  'sign-in-twice': 'two browsers ask to sign in as one user, and one request is approved',
  'sign-in-abandoned': 'a user asks to sign in, and from then on the service answers nothing that can be used',
  'push-approved': 'a user signs in by push and approves',
  'push-rejected': 'a user signs in by push and rejects it',
  'push-ignored': 'a sign-in by push is requested for a user who never answers',
  'registration-approved': 'a new user registers and approves',
  'registration-rejected': 'a new user asks to register and rejects it',
  'registration-ignored': 'a new user asks to register and never approves',
  'registration-begun': 'a new user asks to register, and the RP must refuse to begin',
  'registration-by-stranger': 'a stranger asks to register a passkey for a user who has one',
  'registration-alike': 'two users register whose names differ in one character',
  'passkeys-listed': 'a user looks at their passkeys',
  'passkeys-removed': 'a user removes their passkey',
} as const satisfies Readonly<Record<string, string>>

export type FaultStory = keyof typeof serviceFaultStories

export const FAULT_STORIES = Object.keys(serviceFaultStories) as readonly FaultStory[]

/** What a careful RP does, in English. */
export const carefulActs = {
  user: 'It signs in only the user it asked for, compared byte by byte',
  type: 'It refuses a value of the wrong type',
  scanned: 'It believes a success only if svc_user has a value, as it has after a scan',
  status: 'It treats only the string success as a success',
  statusFirst: 'It reads user_id only if the status is success',
  contradiction: 'It refuses a success that has an error',
  once: 'It ends a request at its first final result, for the browser that began it',
  over: 'It never reopens a request that has ended',
  again: 'It goes on polling, or ends the request as failed',
  registered: 'It believes a registration only when the new credential is in the list',
  host: 'It shows only addresses of the service’s own host',
  hidden: 'It hides the code once it has read that a phone scanned it',
  url: 'It refuses to begin, with a clear error',
  expiry: 'It refuses to begin, or sets its own limits for how long it polls',
  record: 'It keeps its own record of who has a passkey',
  owner: 'It shows only the user’s own credentials, each once',
  shape: 'It checks the list before it reads it, and shows a clear error',
  deleted: 'It lists the credentials again and trusts the list',
  code: 'It trusts data only with HTTP 200 and the number 0 as the code',
  passing: 'It takes this for no result: it polls again, or ends the request as failed',
  twice: 'It refuses JSON with duplicate members',
  size: 'It stops reading at a limit',
  redirect: 'It never follows a redirect with a signed request',
  clock: 'It uses its own clock',
  retry: 'It waits for a limited time',
  cache: 'It never caches a response',
  time: 'It limits how long a response may take',
  lost: 'It treats a result that was already read as a failure',
  text: 'It shows what comes from the service as text, never as markup',
  approved: 'It signs in nobody before the service reports a success',
  own: 'It gives each request a message of its own, and each account a user_id of its own',
  pause: 'It waits at least 20 ms between two polls',
  end: 'It stops polling at a final result and does not read it again',
  secret: 'It keeps the secret key on the server',
  told: 'It tells the user soon after the end',
  stands: 'It stays up and shows an error, whatever the service says, never HTTP 500',
} as const satisfies Readonly<Record<string, string>>

export type CarefulAct = keyof typeof carefulActs

export type FaultParameter =
  | { readonly kind: 'text'; readonly preset: string; readonly most: number }
  | { readonly kind: 'number'; readonly preset: number; readonly least: number; readonly most: number }

export type ServiceFault = {
  readonly group: ServiceFaultGroup
  readonly on: readonly RpOperation[]
  readonly when: FaultyAnswer
  /** Harm to an RP that accepts the changed answer: it signs in the wrong person, or only breaks. */
  readonly harm: 'admits' | 'breaks'
  readonly story: FaultStory
  /** A second story, in a registration: a careless RP breaks in it, since a registration signs in no user. */
  readonly also?: FaultStory
  readonly push?: FaultStory
  /** For a story with an approval: whether a careful RP still completes it. The other stories leave no choice. */
  readonly careful: 'refuses' | 'completes' | 'either'
  readonly act: CarefulAct
  /** Which RP simulator's story shows the fault; test/long/seen-by.test.ts runs each story on both. */
  readonly seen: SeenBy
  readonly parameters?: Readonly<Record<string, FaultParameter>>
}

/** `Where`: which answers faults of one kind change. `Trial`: how they are tried. `Own`: what each fault sets. */
type Where = Pick<ServiceFault, 'group' | 'on' | 'when'>
type Own = Pick<ServiceFault, 'act' | 'seen' | 'push' | 'parameters'>
type Trial = Omit<ServiceFault, keyof Where | keyof Own>

const alike = <N extends string>(where: Where, trial: Trial, rows: Readonly<Record<N, Own>>) => {
  const faults = Object.entries<Own>(rows).map(([name, own]) => [name, { ...where, ...trial, ...own }] as const)
  return Object.fromEntries(faults) as Readonly<Record<N, ServiceFault>>
}

const text = (preset: string, most: number): FaultParameter => ({ kind: 'text', preset, most })
const number = (preset: number, least: number, most: number): FaultParameter => ({
  kind: 'number',
  preset,
  least,
  most,
})
/** Up to a century either way; a day by default. */
const seconds = number(86_400, -3_153_600_000, 3_153_600_000)

export const SERVICE_FAULTS = {
  // The user approved the sign-in, but the result names the user wrongly.
  ...alike(
    { group: 'identity', on: RESULT, when: 'success' },
    { harm: 'admits', story: 'sign-in-approved', careful: 'refuses' },
    {
      'user-of-another': {
        act: 'user',
        seen: 'either',
        push: 'push-approved',
        parameters: { user_id: text('somebody-else', 256) },
      },
      'user-in-other-case': { act: 'user', seen: 'either' },
      'user-with-space': { act: 'user', seen: 'either' },
      'user-in-other-normalization': { act: 'user', seen: 'either' },
      'user-cut-off': { act: 'user', seen: 'either' },
      'user-with-zero-width-space': { act: 'user', seen: 'either' },
      'user-empty': { act: 'user', seen: 'careful' },
      'user-null': { act: 'user', seen: 'careful' },
      'user-missing': { act: 'user', seen: 'careful', push: 'push-approved' },
      'user-in-list': { act: 'type', seen: 'careful' },
    },
  ),
  // A status that is ahead of the real one.
  ...alike(
    { group: 'status', on: RESULTS, when: 'init' },
    { harm: 'admits', story: 'sign-in-ignored', also: 'registration-ignored', careful: 'refuses' },
    {
      'success-unscanned': { act: 'scanned', seen: 'either', push: 'push-ignored' },
      'success-for-another-unscanned': { act: 'user', seen: 'either' },
    },
  ),
  ...alike(
    { group: 'status', on: RESULTS, when: 'pending' },
    { harm: 'admits', story: 'sign-in-ignored', also: 'registration-ignored', careful: 'refuses' },
    {
      'status-unknown': { act: 'status', seen: 'careless', parameters: { status: text('verified', 64) } },
      'status-empty': { act: 'status', seen: 'careless' },
      'status-missing': { act: 'status', seen: 'careless' },
      'status-null': { act: 'status', seen: 'careless' },
      'status-number': { act: 'status', seen: 'careless' },
      'status-true': { act: 'status', seen: 'careless' },
      'success-in-capitals': { act: 'status', seen: 'careless' },
      'success-with-suffix': { act: 'status', seen: 'careless' },
      'status-in-list': { act: 'status', seen: 'careless', push: 'push-ignored' },
    },
  ),
  // A rejection that is reported as something else.
  ...alike(
    { group: 'status', on: RESULTS, when: 'fail' },
    { harm: 'admits', story: 'sign-in-rejected', also: 'registration-rejected', careful: 'refuses' },
    {
      'fail-in-capitals': { act: 'status', seen: 'careless', push: 'push-rejected' },
      'fail-with-space': { act: 'status', seen: 'careless' },
      'fail-in-past-tense': { act: 'status', seen: 'careless' },
      'fail-with-user': { act: 'statusFirst', seen: 'careless' },
      'success-with-error': { act: 'contradiction', seen: 'either', push: 'push-rejected' },
    },
  ),
  ...alike(
    { group: 'status', on: RESULTS, when: 'read' },
    { harm: 'admits', story: 'sign-in-revisited', careful: 'refuses' },
    { 'success-again': { act: 'once', seen: 'neither' } },
  ),
  ...alike(
    { group: 'status', on: RESULTS, when: 'pending' },
    { harm: 'admits', story: 'sign-in-approved', also: 'registration-approved', careful: 'refuses' },
    { 'timeout-too-early': { act: 'over', seen: 'either' } },
  ),
  // A wrong result of a request that was scanned.
  ...alike(
    { group: 'status', on: RESULTS, when: 'bind' },
    { harm: 'breaks', story: 'sign-in-approved', also: 'registration-approved', careful: 'either' },
    {
      'status-goes-back': { act: 'again', seen: 'careless' },
      'svc-user-with-markup': { act: 'text', seen: 'neither' },
    },
  ),
  // Text from the service that a page may show.
  ...alike(
    { group: 'status', on: RESULTS, when: 'fail' },
    { harm: 'breaks', story: 'sign-in-rejected', also: 'registration-rejected', careful: 'refuses' },
    { 'error-with-markup': { act: 'text', seen: 'neither' } },
  ),
  ...alike(
    { group: 'status', on: ['attestation.result'], when: 'pending' },
    { harm: 'breaks', story: 'registration-ignored', careful: 'refuses' },
    { 'registered-unscanned': { act: 'registered', seen: 'either' } },
  ),
  ...alike(
    { group: 'status', on: ['attestation.result'], when: 'bind' },
    { harm: 'breaks', story: 'registration-ignored', careful: 'refuses' },
    { 'registered-not-stored': { act: 'registered', seen: 'either' } },
  ),
  ...alike(
    { group: 'address', on: ['assertion.options'], when: 'any' },
    { harm: 'admits', story: 'sign-in-crossed', careful: 'refuses' },
    { 'url-of-another-message': { act: 'user', seen: 'either', parameters: { url: text('', 2048) } } },
  ),
  // An address that must not be shown.
  ...alike(
    { group: 'address', on: BEGIN, when: 'any' },
    { harm: 'breaks', story: 'sign-in-begun', also: 'registration-begun', careful: 'refuses' },
    {
      'url-to-another-host': { act: 'host', seen: 'either' },
      'url-with-script': { act: 'host', seen: 'either' },
      'url-without-token': { act: 'url', seen: 'either' },
      'url-with-empty-token': { act: 'url', seen: 'either' },
      'url-empty': { act: 'url', seen: 'either' },
      'url-null': { act: 'url', seen: 'either' },
      'url-missing': { act: 'url', seen: 'either' },
      'url-number': { act: 'url', seen: 'either' },
    },
  ),
  // An expiry that must not end what the user is about to approve.
  ...alike(
    { group: 'address', on: BEGIN, when: 'any' },
    { harm: 'breaks', story: 'sign-in-approved', also: 'registration-approved', careful: 'either' },
    {
      'expires-in-past': { act: 'expiry', seen: 'careless' },
      'expires-in-milliseconds': { act: 'expiry', seen: 'neither' },
      'expires-never': { act: 'expiry', seen: 'neither' },
      'expires-as-date': { act: 'expiry', seen: 'either' },
      'expires-missing': { act: 'expiry', seen: 'either' },
      'expires-negative': { act: 'expiry', seen: 'careless' },
    },
  ),
  // A list that hides the credentials of an existing account.
  ...alike(
    { group: 'credentials', on: LIST, when: 'any' },
    { harm: 'admits', story: 'registration-by-stranger', careful: 'refuses' },
    { 'list-empty': { act: 'record', seen: 'either' }, 'list-refused': { act: 'record', seen: 'either' } },
  ),
  ...alike(
    { group: 'credentials', on: LIST, when: 'any' },
    { harm: 'breaks', story: 'passkeys-listed', careful: 'refuses' },
    {
      'list-of-another': { act: 'owner', seen: 'either' },
      'list-repeats': { act: 'owner', seen: 'either' },
      'list-null': { act: 'shape', seen: 'either' },
      'list-missing': { act: 'shape', seen: 'either' },
      'list-as-object': { act: 'shape', seen: 'either' },
      'list-total-too-high': { act: 'shape', seen: 'either' },
      'list-with-markup': { act: 'text', seen: 'either' },
      'list-ids-missing': { act: 'shape', seen: 'either' },
      'list-with-null': { act: 'shape', seen: 'either' },
    },
  ),
  ...alike(
    { group: 'credentials', on: DELETE, when: 'any' },
    { harm: 'breaks', story: 'passkeys-removed', careful: 'refuses' },
    {
      'deletion-not-done': { act: 'deleted', seen: 'careful' },
      'deletion-counts-none': { act: 'deleted', seen: 'careless' },
    },
  ),
  // A refusal or a failed call, even if its data look like a success.
  ...alike(
    { group: 'envelope', on: RESULTS, when: 'pending' },
    { harm: 'admits', story: 'sign-in-ignored', also: 'registration-ignored', careful: 'refuses' },
    {
      'error-code-with-success': { act: 'code', seen: 'careless' },
      'http-error-with-success': { act: 'code', seen: 'careless' },
      'code-missing': { act: 'code', seen: 'careless' },
      'code-null': { act: 'code', seen: 'careless' },
      'code-false': { act: 'code', seen: 'careless' },
      'data-empty': { act: 'status', seen: 'careless' },
      'data-list': { act: 'status', seen: 'careless' },
      'data-as-text': { act: 'status', seen: 'careless' },
    },
  ),
  // These block one poll: the next one succeeds.
  ...alike(
    { group: 'envelope', on: ALL, when: 'pending' },
    { harm: 'breaks', story: 'sign-in-approved', careful: 'either' },
    {
      'data-null': { act: 'passing', seen: 'careless' },
      'data-missing': { act: 'passing', seen: 'careless' },
      'envelope-missing': { act: 'passing', seen: 'careless' },
      'envelope-in-list': { act: 'passing', seen: 'careless' },
    },
  ),
  ...alike(
    { group: 'body', on: RESULTS, when: 'fail' },
    { harm: 'admits', story: 'sign-in-rejected', also: 'registration-rejected', careful: 'refuses' },
    { 'members-twice': { act: 'twice', seen: 'careless' } },
  ),
  ...alike(
    { group: 'body', on: ALL, when: 'pending' },
    { harm: 'breaks', story: 'sign-in-approved', careful: 'either' },
    {
      'html-page': { act: 'passing', seen: 'careless', push: 'push-approved' },
      'gateway-page': { act: 'passing', seen: 'careless' },
      'body-cut-off': { act: 'passing', seen: 'careless' },
      'body-empty': { act: 'passing', seen: 'careless' },
      'body-null': { act: 'passing', seen: 'careless' },
      'body-with-byte-order-mark': { act: 'passing', seen: 'careless' },
      'body-in-utf-16': { act: 'passing', seen: 'careless' },
      'body-with-trailing-text': { act: 'passing', seen: 'careless' },
      'body-with-not-a-number': { act: 'passing', seen: 'careless' },
      'body-gigantic': { act: 'size', seen: 'careless', parameters: { bytes: number(1024 ** 3, 1, 1024 ** 4) } },
    },
  ),
  ...alike(
    { group: 'body', on: RESULTS, when: 'any' },
    { harm: 'breaks', story: 'sign-in-abandoned', careful: 'either' },
    { 'gateway-page-for-good': { act: 'expiry', seen: 'careless' } },
  ),
  ...alike(
    { group: 'http', on: ALL, when: 'pending' },
    { harm: 'breaks', story: 'sign-in-approved', careful: 'either' },
    {
      'no-content': { act: 'passing', seen: 'careless' },
      redirect: { act: 'redirect', seen: 'careless', parameters: { location: text('/', 2048) } },
      'redirect-for-good': {
        act: 'redirect',
        seen: 'careless',
        parameters: { location: text('https://sign-in.example.net/', 2048) },
      },
      'not-modified': { act: 'passing', seen: 'careless' },
      'content-type-missing': { act: 'passing', seen: 'careless' },
      'content-type-wrong': { act: 'passing', seen: 'careless' },
      'content-type-in-capitals': { act: 'passing', seen: 'careless' },
      'gzip-unasked': { act: 'passing', seen: 'careless' },
      'encoding-unknown': { act: 'passing', seen: 'careless' },
      'clock-off': { act: 'clock', seen: 'careless', parameters: { seconds } },
      'retry-after-a-day': { act: 'retry', seen: 'careless', parameters: { seconds } },
      'retry-after-date': { act: 'retry', seen: 'careless' },
      'retry-after-words': { act: 'retry', seen: 'careless' },
      'answer-cacheable': { act: 'cache', seen: 'careless' },
    },
  ),
  ...alike(
    { group: 'connection', on: ALL, when: 'pending' },
    { harm: 'breaks', story: 'sign-in-approved', careful: 'either' },
    {
      'connection-cut': { act: 'passing', seen: 'careless' },
      'no-answer': { act: 'time', seen: 'careless' },
      'body-stalls': { act: 'time', seen: 'careless' },
      'slow-drip': { act: 'time', seen: 'careless', parameters: { pause_ms: number(500, 1, 10_000) } },
      'length-too-short': { act: 'passing', seen: 'careless' },
      'length-too-long': { act: 'passing', seen: 'careless' },
      'length-twice': { act: 'passing', seen: 'careless' },
      'length-and-chunks': { act: 'passing', seen: 'careless' },
      'chunks-cut-off': { act: 'passing', seen: 'careless' },
      'chunk-size-wrong': { act: 'passing', seen: 'careless' },
      'header-malformed': { act: 'passing', seen: 'careless' },
      'headers-too-large': { act: 'passing', seen: 'careless' },
      'protocol-switched': { act: 'passing', seen: 'careless' },
      'not-http': { act: 'passing', seen: 'careless' },
    },
  ),
  ...alike(
    { group: 'connection', on: RESULTS, when: 'fail' },
    { harm: 'admits', story: 'sign-in-rejected', also: 'registration-rejected', careful: 'refuses' },
    {
      'final-answer-lost': { act: 'lost', seen: 'careless', push: 'push-rejected' },
      'final-answer-cut-off': { act: 'lost', seen: 'careless' },
    },
  ),
} as const satisfies Readonly<Record<string, ServiceFault>>

export type ServiceFaultName = keyof typeof SERVICE_FAULTS

export const SERVICE_FAULT_NAMES = Object.keys(SERVICE_FAULTS) as [ServiceFaultName, ...ServiceFaultName[]]

export const isServiceFaultName = (text: string): text is ServiceFaultName => Object.hasOwn(SERVICE_FAULTS, text)

export const storiesOf = (name: ServiceFaultName): readonly FaultStory[] => {
  const { story, also, push } = serviceFaultOf(name)
  return [story, also, push].filter((each) => each !== undefined)
}

export const serviceFaultOf = (name: ServiceFaultName): ServiceFault => SERVICE_FAULTS[name]

/** Each request searches them. */
export const MAX_ARMED = 1000
