import { type FieldProblem, fieldProblemText } from '../protocol/field-problem.ts'

/** A row of the closed error table: code = status × 100 + n, stable for ever. */
type ErrorRow = {
  readonly code: number
  readonly status: number
  readonly sentence: string
  /** Where the rule stands in docs/interface. */
  readonly rule: string
}

export const errors = {
  malformed_json: { code: 40001, status: 400, sentence: 'The request body is not a JSON object.', rule: 'Errors' },
  invalid_parameter: {
    code: 40002,
    status: 400,
    sentence: 'A parameter has a value that is not allowed.',
    rule: 'Errors',
  },
  missing_parameter: { code: 40003, status: 400, sentence: 'A required parameter is missing.', rule: 'Errors' },
  conflicting_parameters: {
    code: 40004,
    status: 400,
    sentence: 'Two parameters contradict each other.',
    rule: 'Errors',
  },
  malformed_request: { code: 40005, status: 400, sentence: 'This is not a well-formed HTTP request.', rule: 'Errors' },
  no_authorization: { code: 40101, status: 401, sentence: 'The Authorization header is missing.', rule: 'Signing' },
  malformed_authorization: {
    code: 40102,
    status: 401,
    sentence: 'The Authorization header is malformed.',
    rule: 'Signing',
  },
  unknown_access_key: { code: 40103, status: 401, sentence: 'The access key is unknown or disabled.', rule: 'Signing' },
  signature_mismatch: {
    code: 40104,
    status: 401,
    sentence: 'The signature does not match the request as it was received.',
    rule: 'Signing',
  },
  bad_date: {
    code: 40105,
    status: 401,
    sentence: 'X-Svc-Date is missing or is not a date of the form YYYYMMDDTHHMMSSZ.',
    rule: 'Signing',
  },
  clock_skew: {
    code: 40106,
    status: 401,
    sentence: 'X-Svc-Date is too far from the time of the service.',
    rule: 'Signing',
  },
  host_not_signed: {
    code: 40107,
    status: 401,
    sentence: 'The Host header must be among the signed headers.',
    rule: 'Signing',
  },
  bad_scope: {
    code: 40108,
    status: 401,
    sentence: 'The credential scope is not one of this service.',
    rule: 'Signing',
  },
  device_not_signed_in: {
    code: 40110,
    status: 401,
    sentence: 'The device token or the account proof is missing or wrong.',
    rule: 'App interface',
  },
  control_token: {
    code: 40111,
    status: 401,
    sentence: 'The control token is missing or wrong.',
    rule: 'Control interface',
  },
  bound_elsewhere: { code: 40301, status: 403, sentence: 'Another device has scanned this message.', rule: 'Messages' },
  foreign_host: {
    code: 40302,
    status: 403,
    sentence: 'The Host header does not name this service.',
    rule: 'From a web page',
  },
  foreign_origin: {
    code: 40303,
    status: 403,
    sentence: 'Pages of this origin may not call this interface.',
    rule: 'From a web page',
  },
  no_route: { code: 40401, status: 404, sentence: 'There is no such address here.', rule: 'Errors' },
  message_not_found: { code: 40402, status: 404, sentence: 'There is no such message.', rule: 'Messages' },
  no_credential: { code: 40403, status: 404, sentence: 'The user has no credential.', rule: 'Users and credentials' },
  not_found: { code: 40404, status: 404, sentence: 'There is nothing of this name here.', rule: 'Control interface' },
  method_not_allowed: {
    code: 40501,
    status: 405,
    sentence: 'This address does not answer to this method.',
    rule: 'Errors',
  },
  request_timeout: { code: 40801, status: 408, sentence: 'The request did not arrive in time.', rule: 'Errors' },
  credential_limit: {
    code: 40901,
    status: 409,
    sentence: 'The user has as many credentials as are allowed.',
    rule: 'Users and credentials',
  },
  wrong_state: { code: 40902, status: 409, sentence: 'This cannot be done in the present state.', rule: 'Messages' },
  answered_differently: {
    code: 40903,
    status: 409,
    sentence: 'The message was answered differently before.',
    rule: 'Messages',
  },
  already_exists: {
    code: 40904,
    status: 409,
    sentence: 'Something of this name exists already.',
    rule: 'Control interface',
  },
  wait_ended: {
    code: 40905,
    status: 409,
    sentence: 'The event did not come in time.',
    rule: 'Control interface',
  },
  phone_refused: { code: 40906, status: 409, sentence: 'The phone cannot do that.', rule: 'Control interface' },
  result_already_read: {
    code: 41001,
    status: 410,
    sentence: 'The result was already read; it is reported once.',
    rule: 'Messages',
  },
  message_expired: { code: 41002, status: 410, sentence: 'The message has expired.', rule: 'Messages' },
  precondition_failed: {
    code: 41201,
    status: 412,
    sentence: 'The stored version is not the one the request expects.',
    rule: 'App interface',
  },
  body_too_large: { code: 41301, status: 413, sentence: 'The request body is too large.', rule: 'Errors' },
  target_too_long: { code: 41401, status: 414, sentence: 'The request target is too long.', rule: 'Errors' },
  not_json: {
    code: 41501,
    status: 415,
    sentence: 'The request body must be sent as application/json.',
    rule: 'Errors',
  },
  precondition_required: {
    code: 42801,
    status: 428,
    sentence: 'The request needs If-Match or If-None-Match.',
    rule: 'App interface',
  },
  too_many_requests: { code: 42901, status: 429, sentence: 'There were too many requests.', rule: 'Limits' },
  headers_too_large: { code: 43101, status: 431, sentence: 'The request headers are too large.', rule: 'Errors' },
  internal: { code: 50001, status: 500, sentence: 'Something went wrong inside the service.', rule: 'Errors' },
  unknown_transfer_coding: {
    code: 50101,
    status: 501,
    sentence: 'The service does not know this Transfer-Encoding.',
    rule: 'Errors',
  },
  fault_injected: {
    code: 50301,
    status: 503,
    sentence: 'The service fails because it was told to.',
    rule: 'Service conditions',
  },
  no_answer: {
    code: 50401,
    status: 504,
    sentence: 'The simulated RP got no answer from the service.',
    rule: 'Control interface',
  },
  storage_full: { code: 50701, status: 507, sentence: 'The disk takes no more data.', rule: 'Errors' },
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof errors

/** An expected refusal, as a value. The detail says what was got and what was expected; it never holds a secret. */
export type Refusal = {
  readonly name: ErrorName
  readonly detail?: string
  readonly data?: Readonly<Record<string, unknown>>
  /** Extra response headers that the status demands, e.g. Allow with 405. */
  readonly headers?: Readonly<Record<string, string>>
}

export const refuse = (name: ErrorName, detail?: string, more?: Pick<Refusal, 'data' | 'headers'>): Refusal => ({
  name,
  ...(detail === undefined ? {} : { detail }),
  ...more,
})

/** A document with a field that cannot be what it says. */
export const refuseField = (problem: FieldProblem): Refusal =>
  refuse('invalid_parameter', fieldProblemText(problem), { data: { parameter: problem.field } })

/** The public text of a refusal: the table's sentence, then what was got and what was expected. */
export const refusalText = (refusal: Refusal): string =>
  refusal.detail === undefined ? errors[refusal.name].sentence : `${errors[refusal.name].sentence} ${refusal.detail}`
