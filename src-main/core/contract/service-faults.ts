import { mapValues } from '../protocol/json.ts'
import type { RpOperation } from './rp/routes.ts'
import type { SeenBy } from './rp-care.ts'

const RESULT = ['assertion.result'] as const
const RESULTS = ['assertion.result', 'attestation.result'] as const
const BEGIN = ['assertion.options', 'attestation.options'] as const
const LIST = ['credentials.list'] as const
const DELETE = ['credentials.delete'] as const
const ALL = [...RESULTS, ...BEGIN, ...LIST, ...DELETE] as const

/** Groups of faults with their English headings, in the order in which an answer is made. */
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

/** English titles of the stories in which a fault is tried on an RP: the actions of its visitors and their phones. */
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
  /** In English. */
  readonly title: string
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

/**
 * `Usual`: which answers faults of one kind change, and what most of them share. `Trial`: how they are tried. `Own`:
 * what a fault sets besides its title.
 */
type Usual = Pick<ServiceFault, 'group' | 'on' | 'when' | 'act' | 'seen'>
type Own = Pick<ServiceFault, 'push' | 'parameters'> & Partial<Pick<ServiceFault, 'act' | 'seen'>>
type Trial = Omit<ServiceFault, 'title' | keyof Usual | keyof Own>
type Row = string | readonly [title: string, own: Own]

const alike =
  (trial: Trial, usual: Usual) =>
  <N extends string>(rows: Readonly<Record<N, Row>>) =>
    mapValues(rows, (row: Row): ServiceFault => {
      const [title, own] = typeof row === 'string' ? [row] : row
      return { ...usual, ...trial, title, ...own }
    })

const text = (preset: string, most: number): FaultParameter => ({ kind: 'text', preset, most })
const number = (preset: number, least: number, most: number): FaultParameter => ({
  kind: 'number',
  preset,
  least,
  most,
})
/** Up to a century either way; a day by default. */
const seconds = number(86_400, -3_153_600_000, 3_153_600_000)

/** Trials that several kinds share. */
const IGNORED: Trial = { harm: 'admits', story: 'sign-in-ignored', also: 'registration-ignored', careful: 'refuses' }
const REJECTED: Trial = { harm: 'admits', story: 'sign-in-rejected', also: 'registration-rejected', careful: 'refuses' }
const APPROVED: Trial = { harm: 'breaks', story: 'sign-in-approved', careful: 'either' }
const BOTH_APPROVED: Trial = { ...APPROVED, also: 'registration-approved' }

const SERVICE_FAULTS = {
  // The user approved the sign-in, but the result names the user wrongly.
  ...alike(
    { harm: 'admits', story: 'sign-in-approved', careful: 'refuses' },
    { group: 'identity', on: RESULT, when: 'success', act: 'user', seen: 'either' },
  )({
    'user-of-another': [
      'The result names a different user than the RP asked for',
      { push: 'push-approved', parameters: { user_id: text('somebody-else', 256) } },
    ],
    'user-in-other-case': 'The user_id comes back with upper and lower case swapped',
    'user-with-space': 'The user_id has a space at its end',
    'user-in-other-normalization': 'The user_id comes back in another Unicode normalization form',
    'user-cut-off': 'The user_id lacks its last character',
    'user-with-zero-width-space': 'The user_id has an invisible character at its end',
    'user-empty': ['The result of a successful sign-in has an empty user_id', { seen: 'careful' }],
    'user-null': ['The user_id of a successful sign-in is null', { seen: 'careful' }],
    'user-missing': ['The result of a successful sign-in has no user_id', { seen: 'careful', push: 'push-approved' }],
    'user-in-list': ['The user_id is an array that contains the right string', { act: 'type', seen: 'careful' }],
  }),
  // A status that is ahead of the real one.
  ...alike(IGNORED, { group: 'status', on: RESULTS, when: 'init', act: 'scanned', seen: 'either' })({
    'success-unscanned': [
      'The status is success although nobody has scanned: svc_user is empty',
      { push: 'push-ignored' },
    ],
    'success-for-another-unscanned': ['A pending sign-in becomes a success for another user', { act: 'user' }],
  }),
  ...alike(IGNORED, { group: 'status', on: RESULTS, when: 'pending', act: 'status', seen: 'careless' })({
    'status-unknown': [
      'The status is a word that the interface does not define',
      { parameters: { status: text('verified', 64) } },
    ],
    'status-empty': 'The status is an empty string',
    'status-missing': 'The result has no status',
    'status-null': 'The status is null',
    'status-number': 'The status is the number 1',
    'status-true': 'The status is true',
    'success-in-capitals': 'The status of a pending request is SUCCESS',
    'success-with-suffix': 'The status of a pending request only begins with success',
    'status-in-list': ['The status is an array that contains the string success', { push: 'push-ignored' }],
  }),
  // A rejection that is reported as something else.
  ...alike(REJECTED, { group: 'status', on: RESULTS, when: 'fail', act: 'status', seen: 'careless' })({
    'fail-in-capitals': ['The status of a rejected request is FAIL', { push: 'push-rejected' }],
    'fail-with-space': 'The status of a rejected request has a space at its end',
    'fail-in-past-tense': 'The status of a rejected request is failed',
    'fail-with-user': ['A rejected request still has a user_id', { act: 'statusFirst' }],
    'success-with-error': [
      'The status of a rejected request is success; its error says why it failed',
      { act: 'contradiction', seen: 'either', push: 'push-rejected' },
    ],
  }),
  ...alike(
    { harm: 'admits', story: 'sign-in-revisited', careful: 'refuses' },
    { group: 'status', on: RESULTS, when: 'read', act: 'once', seen: 'neither' },
  )({ 'success-again': 'A success that was already read is reported again' }),
  ...alike(
    { harm: 'admits', story: 'sign-in-approved', also: 'registration-approved', careful: 'refuses' },
    { group: 'status', on: RESULTS, when: 'pending', act: 'over', seen: 'either' },
  )({ 'timeout-too-early': 'A request is reported as timed out, but succeeds later' }),
  // A wrong result of a request that was scanned.
  ...alike(BOTH_APPROVED, { group: 'status', on: RESULTS, when: 'bind', act: 'again', seen: 'careless' })({
    'status-goes-back': 'The status goes back from bind to init',
    'svc-user-with-markup': ['svc_user contains HTML', { act: 'text', seen: 'neither' }],
  }),
  // Text from the service that a page may show.
  ...alike(
    { harm: 'breaks', story: 'sign-in-rejected', also: 'registration-rejected', careful: 'refuses' },
    { group: 'status', on: RESULTS, when: 'fail', act: 'text', seen: 'neither' },
  )({ 'error-with-markup': 'The error of a rejected request contains HTML' }),
  ...alike(
    { harm: 'breaks', story: 'registration-ignored', careful: 'refuses' },
    { group: 'status', on: ['attestation.result'], when: 'pending', act: 'registered', seen: 'either' },
  )({ 'registered-unscanned': 'A registration succeeds although nobody has scanned' }),
  ...alike(
    { harm: 'breaks', story: 'registration-ignored', careful: 'refuses' },
    { group: 'status', on: ['attestation.result'], when: 'bind', act: 'registered', seen: 'either' },
  )({ 'registered-not-stored': 'A registration succeeds before it is approved, and no credential is stored' }),
  ...alike(
    { harm: 'admits', story: 'sign-in-crossed', careful: 'refuses' },
    { group: 'address', on: ['assertion.options'], when: 'any', act: 'user', seen: 'either' },
  )({
    'url-of-another-message': [
      'The address belongs to another user’s request',
      { parameters: { url: text('', 2048) } },
    ],
  }),
  // An address that must not be shown.
  ...alike(
    { harm: 'breaks', story: 'sign-in-begun', also: 'registration-begun', careful: 'refuses' },
    { group: 'address', on: BEGIN, when: 'any', act: 'url', seen: 'either' },
  )({
    'url-to-another-host': ['The address points to another host', { act: 'host' }],
    'url-with-script': ['The address begins with javascript:', { act: 'host' }],
    'url-without-token': 'The address has no # and no message ID',
    'url-with-empty-token': 'The address has an empty message ID',
    'url-empty': 'The address is an empty string',
    'url-null': 'The address is null',
    'url-missing': 'The answer has no address',
    'url-number': 'The address is a number',
  }),
  // An expiry that must not end what the user is about to approve.
  ...alike(BOTH_APPROVED, { group: 'address', on: BEGIN, when: 'any', act: 'expiry', seen: 'careless' })({
    'expires-in-past': 'By its expires_at, the request expired an hour ago',
    'expires-in-milliseconds': ['expires_at is in milliseconds', { seen: 'neither' }],
    'expires-never': ['expires_at is the largest safe integer of JavaScript', { seen: 'neither' }],
    'expires-as-date': ['expires_at is a date as a string', { seen: 'either' }],
    'expires-missing': ['The answer has no expires_at', { seen: 'either' }],
    'expires-negative': 'expires_at is negative',
  }),
  // A list that hides the credentials of an existing account.
  ...alike(
    { harm: 'admits', story: 'registration-by-stranger', careful: 'refuses' },
    { group: 'credentials', on: LIST, when: 'any', act: 'record', seen: 'either' },
  )({
    'list-empty': 'The list is empty although the user has credentials',
    'list-refused': 'The list call fails with an internal error',
  }),
  ...alike(
    { harm: 'breaks', story: 'passkeys-listed', careful: 'refuses' },
    { group: 'credentials', on: LIST, when: 'any', act: 'shape', seen: 'either' },
  )({
    'list-of-another': ['The list contains a credential of another user', { act: 'owner' }],
    'list-repeats': ['The list contains each credential twice', { act: 'owner' }],
    'list-null': 'The list is null',
    'list-missing': 'The answer has no list',
    'list-as-object': 'The list is an object with numbers as keys',
    'list-total-too-high': 'total is one higher than the number of credentials in the list',
    'list-with-markup': ['The names of the credentials in the list contain HTML', { act: 'text' }],
    'list-ids-missing': 'The credentials in the list have no credential_id',
    'list-with-null': 'The list ends with null',
  }),
  ...alike(
    { harm: 'breaks', story: 'passkeys-removed', careful: 'refuses' },
    { group: 'credentials', on: DELETE, when: 'any', act: 'deleted', seen: 'careful' },
  )({
    'deletion-not-done': 'A deletion is reported, but not carried out',
    'deletion-counts-none': ['A deletion is carried out, but reported as 0', { seen: 'careless' }],
  }),
  // A refusal or a failed call, even if its data look like a success.
  ...alike(IGNORED, { group: 'envelope', on: RESULTS, when: 'pending', act: 'code', seen: 'careless' })({
    'error-code-with-success': 'The code is 50001 with HTTP 200, but data reports a success',
    'http-error-with-success': 'The HTTP status is 500, but the envelope reports a success',
    'code-missing': 'The envelope has an error and no code, but data reports a success',
    'code-null': 'The code is null, but data reports a success',
    'code-false': 'The code is false, but data reports a success',
    'data-empty': ['data is an empty object', { act: 'status' }],
    'data-list': ['data is wrapped in an array', { act: 'status' }],
    'data-as-text': ['data is a string that contains JSON', { act: 'status' }],
  }),
  // Faults that block one poll: the next one succeeds.
  ...alike(APPROVED, { group: 'envelope', on: ALL, when: 'pending', act: 'passing', seen: 'careless' })({
    'data-null': 'data is null',
    'data-missing': 'The envelope has no data',
    'envelope-missing': 'data comes without its envelope',
    'envelope-in-list': 'The envelope is wrapped in an array',
  }),
  ...alike(REJECTED, { group: 'body', on: RESULTS, when: 'fail', act: 'twice', seen: 'careless' })({
    'members-twice': 'Each member of data appears twice: first fail, then success',
  }),
  ...alike(APPROVED, { group: 'body', on: ALL, when: 'pending', act: 'passing', seen: 'careless' })({
    'html-page': ['An HTML page comes with HTTP 200', { push: 'push-approved' }],
    'gateway-page': 'A gateway answers with HTTP 502 and an HTML page',
    'body-cut-off': 'The body is half of the JSON, and Content-Length matches it',
    'body-empty': 'The body is empty with HTTP 200',
    'body-null': 'The body is null',
    'body-with-byte-order-mark': 'The body begins with a byte order mark',
    'body-in-utf-16': 'The body is in UTF-16',
    'body-with-trailing-text': 'Text that is not JSON follows the JSON',
    'body-with-not-a-number': 'The body contains the number NaN, which is not valid JSON',
    'body-gigantic': [
      'Endless white space follows the JSON',
      { act: 'size', parameters: { bytes: number(1024 ** 3, 1, 1024 ** 4) } },
    ],
  }),
  ...alike(
    { harm: 'breaks', story: 'sign-in-abandoned', careful: 'either' },
    { group: 'body', on: RESULTS, when: 'any', act: 'expiry', seen: 'careless' },
  )({ 'gateway-page-for-good': 'A gateway answers every poll with HTTP 502, also after the request has expired' }),
  ...alike(APPROVED, { group: 'http', on: ALL, when: 'pending', act: 'passing', seen: 'careless' })({
    'no-content': 'HTTP 204 comes without a body',
    redirect: ['HTTP 302 leads to another address', { act: 'redirect', parameters: { location: text('/', 2048) } }],
    'redirect-for-good': [
      'HTTP 308 leads to another host',
      { act: 'redirect', parameters: { location: text('https://sign-in.example.net/', 2048) } },
    ],
    'not-modified': 'HTTP 304 answers a request without a condition',
    'content-type-missing': 'The response has no Content-Type',
    'content-type-wrong': 'The Content-Type is text/plain',
    'content-type-in-capitals': 'The Content-Type is correct, but in different letter case and quoting',
    'gzip-unasked': 'The body is compressed although the RP did not ask for it',
    'encoding-unknown': 'The body has an unknown encoding',
    'clock-off': ['The Date header is a day ahead', { act: 'clock', parameters: { seconds } }],
    'retry-after-a-day': ['HTTP 429 comes with a Retry-After of one day', { act: 'retry', parameters: { seconds } }],
    'retry-after-date': ['HTTP 429 comes with a date in Retry-After', { act: 'retry' }],
    'retry-after-words': ['HTTP 429 comes with a word in Retry-After', { act: 'retry' }],
    'answer-cacheable': ['A pending result may be cached for a day', { act: 'cache' }],
  }),
  ...alike(APPROVED, { group: 'connection', on: ALL, when: 'pending', act: 'passing', seen: 'careless' })({
    'connection-cut': 'The connection breaks before the response',
    'no-answer': ['No response arrives, and the connection stays open', { act: 'time' }],
    'body-stalls': ['The body stops after its first bytes', { act: 'time' }],
    'slow-drip': [
      'The body arrives one byte at a time',
      { act: 'time', parameters: { pause_ms: number(500, 1, 10_000) } },
    ],
    'length-too-short': 'The Content-Length is half of the body',
    'length-too-long': 'The body is shorter than its Content-Length',
    'length-twice': 'There are two Content-Length headers that differ',
    'length-and-chunks': 'The response is chunked and has a Content-Length',
    'chunks-cut-off': 'The last chunk is missing',
    'chunk-size-wrong': 'The size of a chunk is not a number',
    'header-malformed': 'The name of a header has a space in it',
    'headers-too-large': 'The headers are 100 kB long',
    'protocol-switched': 'HTTP 101 switches to a protocol that was not requested',
    'not-http': 'The answer is not HTTP',
  }),
  ...alike(REJECTED, { group: 'connection', on: RESULTS, when: 'fail', act: 'lost', seen: 'careless' })({
    'final-answer-lost': ['The connection breaks, and the final result is lost with it', { push: 'push-rejected' }],
    'final-answer-cut-off': 'The connection breaks in the middle of the final result',
  }),
} as const satisfies Readonly<Record<string, ServiceFault>>

export type ServiceFaultName = keyof typeof SERVICE_FAULTS

export const serviceFaultTitles = mapValues(SERVICE_FAULTS, ({ title }) => title)

export const SERVICE_FAULT_NAMES = Object.keys(SERVICE_FAULTS) as [ServiceFaultName, ...ServiceFaultName[]]

export const isServiceFaultName = (text: string): text is ServiceFaultName => Object.hasOwn(SERVICE_FAULTS, text)

export const storiesOf = (name: ServiceFaultName): readonly FaultStory[] => {
  const { story, also, push } = serviceFaultOf(name)
  return [story, also, push].filter((each) => each !== undefined)
}

export const serviceFaultOf = (name: ServiceFaultName): ServiceFault => SERVICE_FAULTS[name]

/** Limited because each request searches all armed faults. */
export const MAX_ARMED = 1000
