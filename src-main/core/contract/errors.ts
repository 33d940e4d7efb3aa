import type { AuthorizationProblemParams, ScopeProblemParams } from '../protocol/authorization.ts'
import type { Coded, NoParams } from '../protocol/coded.ts'
import { isObject } from '../protocol/json.ts'

/** The section of docs/interface that has the rule. */
type Section =
  | 'Errors'
  | 'Signing'
  | 'App interface'
  | 'Control interface'
  | 'Messages'
  | 'From a web page'
  | 'Users and credentials'
  | 'Limits'
  | 'Service conditions'

/** A row of the closed error table: code = status × 100 + n, stable for ever; `text` is in English. */
const row = (code: number, rule: Section, text: string) => ({ code, status: Math.floor(code / 100), rule, text })

export const errors = {
  malformed_json: row(40001, 'Errors', 'The request body is not a JSON object.'),
  invalid_parameter: row(40002, 'Errors', 'A parameter has a value that is not allowed.'),
  missing_parameter: row(40003, 'Errors', 'A required parameter is missing.'),
  conflicting_parameters: row(40004, 'Errors', 'Two parameters contradict each other.'),
  malformed_request: row(40005, 'Errors', 'This is not a well-formed HTTP request.'),
  no_authorization: row(40101, 'Signing', 'The Authorization header is missing.'),
  malformed_authorization: row(40102, 'Signing', 'The Authorization header is malformed.'),
  unknown_access_key: row(40103, 'Signing', 'The access key is unknown or disabled.'),
  signature_mismatch: row(40104, 'Signing', 'The signature does not match the request as it was received.'),
  bad_date: row(40105, 'Signing', 'X-Svc-Date is missing or is not a date of the form YYYYMMDDTHHMMSSZ.'),
  clock_skew: row(40106, 'Signing', 'X-Svc-Date is too far from the time of the service.'),
  host_not_signed: row(40107, 'Signing', 'The Host header must be among the signed headers.'),
  bad_scope: row(40108, 'Signing', 'The credential scope is not one of this service.'),
  device_not_signed_in: row(40110, 'App interface', 'The device token or the account proof is missing or wrong.'),
  control_token: row(40111, 'Control interface', 'The control token is missing or wrong.'),
  bound_elsewhere: row(40301, 'Messages', 'Another device has scanned this message.'),
  foreign_host: row(40302, 'From a web page', 'The Host header does not name this service.'),
  foreign_origin: row(40303, 'From a web page', 'Pages of this origin may not call this interface.'),
  token_limited: row(40304, 'Control interface', 'This token may not do that.'),
  no_route: row(40401, 'Errors', 'There is no such address here.'),
  message_not_found: row(40402, 'Messages', 'There is no such message.'),
  no_credential: row(40403, 'Users and credentials', 'The user has no credential.'),
  not_found: row(40404, 'Control interface', 'There is nothing of this name here.'),
  method_not_allowed: row(40501, 'Errors', 'This address does not answer to this method.'),
  request_timeout: row(40801, 'Errors', 'The request did not arrive in time.'),
  credential_limit: row(40901, 'Users and credentials', 'The user has as many credentials as are allowed.'),
  wrong_state: row(40902, 'Messages', 'This cannot be done in the present state.'),
  answered_differently: row(40903, 'Messages', 'The message was answered differently before.'),
  already_exists: row(40904, 'Control interface', 'Something of this name exists already.'),
  wait_ended: row(40905, 'Control interface', 'The event did not come in time.'),
  phone_refused: row(40906, 'Control interface', 'The phone cannot do that.'),
  quota_reached: row(40907, 'Limits', 'The workspace holds as many as it may.'),
  result_already_read: row(41001, 'Messages', 'The result was already read; it is reported once.'),
  message_expired: row(41002, 'Messages', 'The message has expired.'),
  precondition_failed: row(41201, 'App interface', 'The stored version is not the one the request expects.'),
  body_too_large: row(41301, 'Errors', 'The request body is too large.'),
  target_too_long: row(41401, 'Errors', 'The request target is too long.'),
  not_json: row(41501, 'Errors', 'The request body must be sent as application/json.'),
  precondition_required: row(42801, 'App interface', 'The request needs If-Match or If-None-Match.'),
  too_many_requests: row(42901, 'Limits', 'There were too many requests.'),
  headers_too_large: row(43101, 'Errors', 'The request headers are too large.'),
  internal: row(50001, 'Errors', 'Something went wrong inside the service.'),
  unknown_transfer_coding: row(50101, 'Errors', 'The service does not know this Transfer-Encoding.'),
  target_failed: row(50201, 'Errors', 'The target of the proxy gave no answer that can be passed on.'),
  fault_injected: row(50301, 'Service conditions', 'The service fails because it was told to.'),
  store_unavailable: row(50302, 'Errors', 'The database is not available at the moment.'),
  no_answer: row(50401, 'Control interface', 'The simulated RP got no answer from the service.'),
  target_silent: row(50402, 'Errors', 'The target of the proxy did not answer in time.'),
  storage_full: row(50701, 'Errors', 'The disk takes no more data.'),
}

export type ErrorName = keyof typeof errors

/** What an ID may name, in English. */
export const objectKinds = {
  workspace: 'workspace',
  snapshot: 'snapshot',
  rp: 'RP',
  access_key: 'access key',
  credential: 'credential',
  message: 'message',
  account: 'account',
  device: 'device',
  root: 'root',
  phone: 'phone',
  lease: 'lease',
  fault: 'armed fault',
  token: 'token',
} as const satisfies Readonly<Record<string, string>>

export type ObjectKind = keyof typeof objectKinds

type Field = { readonly field: string }
type Unknown = Field & { readonly known: readonly string[] }
type Count = { readonly count: number }
type Got = { readonly got: string }
type Id = { readonly id: string }
type Named = Id & { readonly kind: ObjectKind }

type Range = { readonly least?: number; readonly above?: number; readonly most?: number }

export type ExpectedParams = {
  readonly something_else: NoParams
  readonly value: { readonly json: string }
  readonly one_of: { readonly values: readonly string[] }
  /** Names of JSON types, or the members of an object in braces. */
  readonly any_of: { readonly forms: readonly string[] }
  readonly object: NoParams
  readonly list: NoParams
  readonly distinct_list: NoParams
  readonly entries_at_least: Count
  readonly entries_at_most: Count
  readonly text: NoParams
  readonly text_not_empty: NoParams
  readonly characters_at_least: Count
  readonly characters_at_most: Count
  readonly text_of_form: { readonly pattern: string }
  readonly number: Range
  readonly whole_number: Range
  readonly true_or_false: NoParams
  readonly null: NoParams

  readonly name: Count
  readonly name_on_a_line: Count
  readonly phone_number: NoParams
  readonly access_key_id: NoParams
  readonly domain: NoParams
  readonly loopback_origin: NoParams
  readonly origin: NoParams
  readonly workspace_id: NoParams
  readonly error_code: NoParams
  readonly scenario: NoParams
  readonly phones_by_name: NoParams
  readonly time_limit: NoParams
  readonly scenario_step: { readonly words: readonly string[] }
  readonly indented_fields: NoParams
  readonly something_to_change: NoParams
  readonly event_fields: NoParams
  readonly phone_fields: NoParams
  readonly rps_by_name: NoParams
  readonly short_name: NoParams
  readonly tag: NoParams
  readonly fields_of_one_kind: NoParams
  readonly or_null: { readonly expected: Expected }
  readonly json_of: { readonly expected: Expected }
  readonly json: NoParams
  readonly origins: NoParams
  readonly secret_key: NoParams
  readonly public_key: NoParams
  readonly uuid: NoParams
  readonly format_name: NoParams
  readonly etag: NoParams
  readonly service_fault: NoParams
  readonly phone_fault: { readonly near?: string }
  readonly certificate: NoParams
  readonly moment: NoParams
  readonly picture: NoParams
  readonly regular_expression: { readonly error?: string }
  readonly glob: NoParams
  readonly row_of: { readonly table: string }
  readonly fit_for_row: NoParams
  readonly id_of_document: NoParams
  readonly stored_value: NoParams
  readonly base64url_bytes: { readonly least: number; readonly most: number }
  readonly base64url_characters: Count
}

export type Expected = Coded<ExpectedParams>

/** `field`: its path in the document, such as `phones[0].json.model`; empty for the whole document. */
type FieldParams = {
  readonly field_missing: Field & { readonly unknown?: Unknown }
  readonly field_unknown: Unknown
  readonly field_unfit: Field & { readonly expected: Expected; readonly got?: string }
  readonly field_encoding: Field
  readonly field_twice: Field
  readonly field_contradicts: Field
  readonly field_repeats: Field & { readonly other: string; readonly value: string }
  readonly row_conflicts: Field & { readonly message: string }
}

/** Parts that HTTP or the header’s form cannot carry. The secret is never repeated. */
export type SigningProblemParams = {
  readonly secret_key: NoParams
  readonly access_key_id: Got
  /** `commas`: allowed, as in the short form. */
  readonly scope_identifier: Got & { readonly commas: boolean }
  readonly host: Got
  readonly method: Got
  readonly target: Got
  readonly query: Got
  readonly header_name: Got
  readonly header_value: Got & { readonly name: string }
}

export type SigningProblem = Coded<SigningProblemParams>

export type RpClientProblemParams = {
  readonly not_signable: { readonly problem: SigningProblem }
  readonly not_unicode: { readonly name: string; readonly got: string }
  readonly not_answered: { readonly host: string; readonly why: string }
  readonly answer_late: { readonly host: string; readonly ms: number }
  readonly answer_too_large: { readonly host: string; readonly bytes: number }
  readonly answer_no_envelope: { readonly status: number }
  readonly answer_unfit: { readonly field: string; readonly expected: string; readonly got: string }
  readonly signed_otherwise: {
    readonly part: SignedPart
    readonly header?: string
    /** `signed`, `computed`: absent if that side has no such line. */
    readonly signed?: string
    readonly computed?: string
  }
  /** Both sides have the same canonical request, so the secret key or the scope differs. */
  readonly signed_alike: NoParams
}

export type SignedPart = 'method' | 'path' | 'query' | 'header' | 'signed_headers' | 'body_hash'

export type RpClientProblem = Coded<RpClientProblemParams>

export type ReasonParams = FieldParams &
  AuthorizationProblemParams &
  ScopeProblemParams & {
    readonly got: Got

    readonly expected_chunked: Got
    readonly https_expected: NoParams
    readonly no_authority: NoParams
    readonly only_100_continue: NoParams
    readonly no_proxy: NoParams
    readonly path_expected: NoParams
    /** The target is the server to which a proxy forwards requests. */
    readonly target_unreachable: { readonly problem: string }
    readonly target_cut: NoParams
    readonly target_no_http: { readonly code: string }
    readonly target_too_much: Count
    readonly outside_target: NoParams
    readonly target_silent: { readonly seconds: number }
    readonly no_target: NoParams
    readonly not_recorded: { readonly method: string; readonly path: string }
    readonly one_host_expected: Count
    readonly parser_says: { readonly words: string }
    readonly bytes_at_most: Count
    readonly methods_allowed: { readonly methods: readonly string[] }
    readonly try_again_in: { readonly seconds: number }
    readonly disk_says: { readonly message: string; readonly code: string }
    readonly in_log_as: Id
    /** The refused host is a valid name, which the user may allow. */
    readonly host_could_be_allowed: { readonly host: string }

    readonly content_type_missing: NoParams
    readonly body_empty: NoParams
    readonly byte_order_mark: NoParams
    readonly not_utf8: NoParams
    readonly not_json: NoParams
    readonly json_is: { readonly type: string }
    readonly json_levels_at_most: Count
    readonly json_members_at_most: Count
    readonly json_values_at_most: Count
    readonly half_surrogate_pair: NoParams
    readonly member_twice: { readonly json: string }

    readonly faults_armed_at_most: Count
    readonly scopes_at_most: NoParams

    readonly header_repeated: NoParams
    readonly signed_header_not_sent: { readonly name: string }
    readonly form_disabled: { readonly form: string }
    readonly date_sent_times: Count
    readonly date_form: Got
    readonly date_does_not_exist: Got
    readonly date_not_signed: NoParams
    readonly clock_away: { readonly seconds: number; readonly allowed: number }
    readonly query_not_encoded: Got
    readonly compare_texts: NoParams

    readonly requests_per_minute: Count
    readonly credentials_held: Count & { readonly limit: number }
    readonly simulated: NoParams
    readonly quota_is: { readonly of: 'workspaces' | 'phones' | 'credentials' | 'messages'; readonly limit: number }

    readonly none_there: Named
    readonly one_there: Named
    readonly not_deleted_lately: Named
    readonly cannot_return: Named
    readonly rp_is_gone: Id
    readonly key_of_another_rp: Id
    readonly main_stays: NoParams
    readonly workspace_closed: NoParams
    readonly snapshot_damaged: { readonly problem: FieldProblem }
    readonly phones_not_kept: NoParams

    readonly message_ids_differ: NoParams
    readonly message_damaged: NoParams
    readonly message_not_bound: NoParams
    readonly message_is: { readonly state: string }
    readonly bearer_expected: NoParams
    readonly proof_of_another_account: NoParams
    readonly account_gone: NoParams
    readonly account_without_vault: NoParams
    readonly conditions_exclude_each_other: NoParams

    readonly model_has: Got & { readonly model: string; readonly known: readonly string[] }
    readonly fault_needs_key: {
      readonly fault: string
      readonly wanted: readonly string[]
      readonly made: readonly string[]
    }
    readonly connection_broke_off: NoParams
    readonly nothing_listens: NoParams
    readonly host_name_unknown: NoParams
    readonly answer_too_long: NoParams
    readonly answer_is_not: { readonly form: 'UTF-8' | 'JSON' | 'envelope'; readonly status: number }
    readonly message_lacks: { readonly member: 'public_key' | 'rp' | 'expires_at' }
    readonly authenticator_refuses: Got & { readonly why: AuthenticatorRefusal }
    readonly storage_says: { readonly message: string }

    readonly only_at: { readonly path: string }
    readonly code_used: NoParams
    readonly token_may_not: { readonly what: TokenNeeds }
    readonly nothing_to_expire: NoParams
    readonly real_goes_alone: { readonly others: readonly string[] }
    readonly no_request_of_rp: Id
    readonly no_exchange: { readonly seq: string }
    readonly no_message_events: Id
    readonly signature_not_refused: { readonly code: number }
    readonly waited: {
      readonly timeout_ms: number
      readonly match: string
      readonly count: number
      readonly came: readonly { readonly seq: number; readonly text: string }[]
    }
    readonly no_active_key: NoParams
    readonly no_rp_request: NoParams
    readonly no_phone_answer: NoParams
    readonly resend_elsewhere: { readonly base: string }
    readonly header_not_sendable: { readonly name: string }
    readonly body_not_kept: NoParams
    readonly answering_phone_gone: NoParams
    readonly message_not_kept: NoParams
    readonly not_answered_by_phone: NoParams
  } & RpClientProblemParams

/** Permissions that a token limited to workspaces may lack. */
export type TokenNeeds = 'reveal' | 'bench' | 'open' | 'close' | 'change' | 'quota'

/** Why an authenticator refuses, in English. */
export const authenticatorRefusals = {
  malformed_options: 'The request contains a value that is not what WebAuthn says it is.',
  rp_id_not_for_origin: 'The RP ID is neither the origin’s host nor a parent domain of it.',
  no_supported_algorithm: 'This phone has none of the algorithms that the service accepts.',
  credential_excluded: 'This phone already holds one of the credentials that the service excludes.',
  resident_key_unavailable: 'The service wants a discoverable credential, and this phone cannot keep one.',
  user_verification_unavailable: 'The service wants the user verified, and the user was not.',
  large_blob_unavailable: 'The service requires large blob storage, and this phone has none.',
  no_matching_credential: 'This phone holds no credential that fits the request.',
} as const satisfies Readonly<Record<string, string>>

export type AuthenticatorRefusal = keyof typeof authenticatorRefusals

export type Reason = Coded<ReasonParams>

export type FieldProblem = Extract<Reason, { readonly params: Field }>

export const withinField = (outer: string, problem: FieldProblem): FieldProblem => {
  const { field } = problem.params
  const joint = field === '' || field.startsWith('[') ? '' : '.'
  return { ...problem, params: { ...problem.params, field: `${outer}${joint}${field}` } } as FieldProblem
}

/** Parameters from outside are not checked: the texts allow for wrong types. */
export const parseReason = (value: unknown): Reason | undefined =>
  isObject(value) && typeof value.code === 'string' ? (value as Reason) : undefined

/** Why a phone refuses, in English. A code never changes. */
export const phoneProblems = {
  no_such_phone: 'There is no such phone.',
  no_such_prompt: 'This phone is not being asked that.',
  no_such_notification: 'This phone has no such notification.',
  no_such_credential: 'This phone has no such credential.',
  no_such_account: 'There is no such phone to take the account from.',
  no_such_fault: 'There is no fault of this name.',
  invalid_fault: 'A fault is armed for 1 to 1000 attempts, or with a probability from 0 to 1.',
  fault_not_felt: 'This phone cannot get this wrong.',
  unknown_model: 'There is no phone of this model.',
  unknown_algorithm: 'A phone of this model cannot make keys of this algorithm.',
  too_many_phones: 'There is no room for more phones here.',
  lost: 'This phone is lost.',
  offline: 'This phone is offline.',
  signed_out: 'This phone is signed out.',
  already_signed_in: 'This phone is signed in already.',
  unreadable_picture: 'The camera cannot read this picture. It reads PNG and JPEG.',
  camera_failed: 'The thread that reads QR codes failed. Scan the code again.',
  no_code: 'There is no QR code in this picture.',
  not_ours: 'This code is not a sign-in code.',
  foreign_code: 'This code belongs to another service.',
  unreachable: 'The service cannot be reached.',
  timed_out: 'The service did not answer in time.',
  garbled: 'The service answered something that this phone does not understand.',
  service_refused: 'The service refused.',
  account_taken: 'This account exists already, and this phone does not have its secret.',
  message_not_found: 'This request does not exist, or not any more.',
  bound_elsewhere: 'Another phone has scanned this code.',
  expired: 'This request has expired.',
  wrong_state: 'This request cannot be answered any more.',
  answered_differently: 'This request was answered differently before.',
  no_origin: 'The site behind this request has no address that the phone could sign for.',
  no_matching_credential: 'This phone has no credential for this sign-in.',
  already_registered: 'This phone has a credential for this account already.',
  unsupported_algorithm: 'This phone has none of the signature algorithms that the site accepts.',
  cannot_authenticate: 'This phone cannot do what the site asks.',
  user_rejected: 'You said no.',
  fingerprint_failed: 'The fingerprint was not recognised.',
  vault_missing: 'This account was made without a secret and has no cloud storage.',
  vault_conflict: 'Another phone of the account changed this credential at the same time.',
  vault_unreadable: 'The cloud gave back something that this account did not seal.',
  not_accepted: 'The service did not accept the answer.',
  app_killed: 'The app was closed before it could answer.',
  not_saved: 'The phone could not be saved; what it did since is in memory only.',
  busy: 'The phone is answering this already.',
  closed: 'The phones are being switched off.',
} as const satisfies Readonly<Record<string, string>>

export type PhoneWord = keyof typeof phoneProblems

const names = new Map<number, ErrorName>(Object.entries(errors).map(([name, { code }]) => [code, name as ErrorName]))

export const errorNameOf = (code: number): ErrorName | undefined => names.get(code)

/** An expected refusal, as a value. The reason never contains a secret. */
export type Refusal = {
  readonly name: ErrorName
  readonly reason?: Reason
  /** Set when a phone refused; more exact than the error code. */
  readonly word?: PhoneWord
  readonly data?: Readonly<Record<string, unknown>>
  /** Headers that the status requires, such as Allow with 405. */
  readonly headers?: Readonly<Record<string, string>>
}

export const refuse = (name: ErrorName, reason?: Reason, more?: Pick<Refusal, 'data' | 'headers'>): Refusal => ({
  name,
  ...(reason === undefined ? {} : { reason }),
  ...more,
})

export const notFound = (kind: ObjectKind, id: string): Refusal =>
  refuse('not_found', { code: 'none_there', params: { kind, id } })

export const quotaReached = (of: Reaching['of'], limit: number): Refusal =>
  refuse('quota_reached', { code: 'quota_is', params: { of, limit } })

type Reaching = ReasonParams['quota_is']

/** RFC 9110 §15.5.6: status 405 requires the header Allow. */
export const refuseMethod = (methods: readonly string[]): Refusal =>
  refuse(
    'method_not_allowed',
    { code: 'methods_allowed', params: { methods } },
    { headers: { Allow: methods.join(', ') } },
  )

const codeFor = ({ code }: FieldProblem): ErrorName =>
  code === 'field_missing' ? 'missing_parameter' : 'invalid_parameter'

export const refuseField = (problem: FieldProblem, name: ErrorName = codeFor(problem)): Refusal => {
  const { field } = problem.params
  return refuse(name, problem, field === '' ? {} : { data: { parameter: field } })
}

/** Refusals after which an RP retries: the same request may succeed later. */
export const isTransientRefusal = (code: number): boolean =>
  code === errors.too_many_requests.code || code >= errors.internal.code
