import type { PhoneWord } from './phone-words.ts'
import type { FieldProblem, Kind, Reason, ReasonParams } from './reasons.ts'

/** A row of the closed error table: code = status × 100 + n, stable for ever. */
type ErrorRow = {
  readonly code: number
  readonly status: number
  /** The section of docs/interface that has the rule. */
  readonly rule: string
}

export const errors = {
  malformed_json: { code: 40001, status: 400, rule: 'Errors' },
  invalid_parameter: { code: 40002, status: 400, rule: 'Errors' },
  missing_parameter: { code: 40003, status: 400, rule: 'Errors' },
  conflicting_parameters: { code: 40004, status: 400, rule: 'Errors' },
  malformed_request: { code: 40005, status: 400, rule: 'Errors' },
  no_authorization: { code: 40101, status: 401, rule: 'Signing' },
  malformed_authorization: { code: 40102, status: 401, rule: 'Signing' },
  unknown_access_key: { code: 40103, status: 401, rule: 'Signing' },
  signature_mismatch: { code: 40104, status: 401, rule: 'Signing' },
  bad_date: { code: 40105, status: 401, rule: 'Signing' },
  clock_skew: { code: 40106, status: 401, rule: 'Signing' },
  host_not_signed: { code: 40107, status: 401, rule: 'Signing' },
  bad_scope: { code: 40108, status: 401, rule: 'Signing' },
  device_not_signed_in: { code: 40110, status: 401, rule: 'App interface' },
  control_token: { code: 40111, status: 401, rule: 'Control interface' },
  bound_elsewhere: { code: 40301, status: 403, rule: 'Messages' },
  foreign_host: { code: 40302, status: 403, rule: 'From a web page' },
  foreign_origin: { code: 40303, status: 403, rule: 'From a web page' },
  token_limited: { code: 40304, status: 403, rule: 'Control interface' },
  no_route: { code: 40401, status: 404, rule: 'Errors' },
  message_not_found: { code: 40402, status: 404, rule: 'Messages' },
  no_credential: { code: 40403, status: 404, rule: 'Users and credentials' },
  not_found: { code: 40404, status: 404, rule: 'Control interface' },
  method_not_allowed: { code: 40501, status: 405, rule: 'Errors' },
  request_timeout: { code: 40801, status: 408, rule: 'Errors' },
  credential_limit: { code: 40901, status: 409, rule: 'Users and credentials' },
  wrong_state: { code: 40902, status: 409, rule: 'Messages' },
  answered_differently: { code: 40903, status: 409, rule: 'Messages' },
  already_exists: { code: 40904, status: 409, rule: 'Control interface' },
  wait_ended: { code: 40905, status: 409, rule: 'Control interface' },
  phone_refused: { code: 40906, status: 409, rule: 'Control interface' },
  quota_reached: { code: 40907, status: 409, rule: 'Limits' },
  result_already_read: { code: 41001, status: 410, rule: 'Messages' },
  message_expired: { code: 41002, status: 410, rule: 'Messages' },
  precondition_failed: { code: 41201, status: 412, rule: 'App interface' },
  body_too_large: { code: 41301, status: 413, rule: 'Errors' },
  target_too_long: { code: 41401, status: 414, rule: 'Errors' },
  not_json: { code: 41501, status: 415, rule: 'Errors' },
  precondition_required: { code: 42801, status: 428, rule: 'App interface' },
  too_many_requests: { code: 42901, status: 429, rule: 'Limits' },
  headers_too_large: { code: 43101, status: 431, rule: 'Errors' },
  internal: { code: 50001, status: 500, rule: 'Errors' },
  unknown_transfer_coding: { code: 50101, status: 501, rule: 'Errors' },
  target_failed: { code: 50201, status: 502, rule: 'Errors' },
  fault_injected: { code: 50301, status: 503, rule: 'Service conditions' },
  store_unavailable: { code: 50302, status: 503, rule: 'Errors' },
  no_answer: { code: 50401, status: 504, rule: 'Control interface' },
  target_silent: { code: 50402, status: 504, rule: 'Errors' },
  storage_full: { code: 50701, status: 507, rule: 'Errors' },
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof errors

const names = new Map<number, ErrorName>(Object.entries(errors).map(([name, { code }]) => [code, name as ErrorName]))

/** Undefined: no code of this version. */
export const errorOfCode = (code: number): ErrorName | undefined => names.get(code)

/** An expected refusal, as a value. The reason says what was got and what was expected, without any secret. */
export type Refusal = {
  readonly name: ErrorName
  readonly reason?: Reason
  /** Of a phone's refusal: it is more exact than the code. */
  readonly word?: PhoneWord
  readonly data?: Readonly<Record<string, unknown>>
  /** Extra response headers that the status demands, e.g. Allow with 405. */
  readonly headers?: Readonly<Record<string, string>>
}

export const refuse = (name: ErrorName, reason?: Reason, more?: Pick<Refusal, 'data' | 'headers'>): Refusal => ({
  name,
  ...(reason === undefined ? {} : { reason }),
  ...more,
})

export const notFound = (kind: Kind, id: string): Refusal =>
  refuse('not_found', { code: 'none_there', params: { kind, id } })

export const quotaReached = (of: Reaching['of'], limit: number): Refusal =>
  refuse('quota_reached', { code: 'quota_is', params: { of, limit } })

type Reaching = ReasonParams['quota_is']

/** The status demands the header. */
export const refuseMethod = (methods: readonly string[]): Refusal =>
  refuse(
    'method_not_allowed',
    { code: 'methods_allowed', params: { methods } },
    { headers: { Allow: methods.join(', ') } },
  )

const codeFor = ({ code }: FieldProblem): ErrorName =>
  code === 'field_missing' ? 'missing_parameter' : 'invalid_parameter'

/** A parameter, or a field of a document, that breaks its schema. */
export const refuseField = (problem: FieldProblem, name: ErrorName = codeFor(problem)): Refusal => {
  const { field } = problem.params
  return refuse(name, problem, field === '' ? {} : { data: { parameter: field } })
}
