import type { Coded, ParamsOf } from '../protocol/coded.ts'
import { isObject, mapValues } from '../protocol/json.ts'
import type { expectedTexts, ObjectKind, PhoneWord, reasons } from '../protocol/reasons.ts'
import type { RpClientProblemParams } from '../protocol/rp-client-problems.ts'

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

export const errorTexts = mapValues(errors, ({ text }) => text)

export type ExpectedParams = ParamsOf<typeof expectedTexts>

export type Expected = Coded<ExpectedParams>

export type ReasonParams = ParamsOf<typeof reasons> & RpClientProblemParams

export type Reason = Coded<ReasonParams>

export type FieldProblem = Extract<Reason, { readonly params: { readonly field: string } }>

/** `got`: the value, unless it may be a secret. */
export const unfit = (field: string, expected: Expected, got?: unknown): FieldProblem => ({
  code: 'field_unfit',
  params: { field, expected, ...(got === undefined ? {} : { got: JSON.stringify(got) }) },
})

export const withinField = <P extends FieldProblem | undefined>(outer: string, problem: P): P => {
  if (problem === undefined) return problem
  const { field } = problem.params
  const joint = field === '' || field.startsWith('[') ? '' : '.'
  return { ...problem, params: { ...problem.params, field: `${outer}${joint}${field}` } }
}

/** Parameters from outside are not checked: the texts allow for wrong types. */
export const parseReason = (value: unknown): Reason | undefined =>
  isObject(value) && typeof value.code === 'string' ? (value as Reason) : undefined

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

export const quotaReached = (of: ReasonParams['quota_is']['of'], limit: number): Refusal =>
  refuse('quota_reached', { code: 'quota_is', params: { of, limit } })

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
