import type { AuthorizationProblemParams } from '../protocol/authorization.ts'
import type { Coded, Nothing } from '../protocol/coded.ts'
import { isObject } from '../protocol/json.ts'
import type { ScopeProblemParams } from '../protocol/string-to-sign.ts'
import type { Expected } from './expected.ts'
import type { RpClientProblemParams } from './rp-client-problems.ts'

/** Things with an id. */
export type Kind =
  | 'workspace'
  | 'snapshot'
  | 'rp'
  | 'access_key'
  | 'credential'
  | 'message'
  | 'account'
  | 'device'
  | 'root'
  | 'phone'
  | 'lease'
  | 'fault'
  | 'token'

type Field = { readonly field: string }
type Unknown = Field & { readonly known: readonly string[] }
type Count = { readonly count: number }
type Got = { readonly got: string }
type Id = { readonly id: string }
type Named = Id & { readonly kind: Kind }

/** A problem of one field of a document, by the field's path in it: `phones[0].json.model`; empty for all of it. */
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

/** Why a request is refused, in addition to the error code: by name, with the parameters of its sentence. */
export type ReasonParams = FieldParams &
  AuthorizationProblemParams &
  ScopeProblemParams & {
    readonly got: Got

    // Reading HTTP.
    readonly expected_chunked: Got
    readonly https_expected: Nothing
    readonly no_authority: Nothing
    readonly only_100_continue: Nothing
    readonly no_proxy: Nothing
    readonly path_expected: Nothing
    /** Of the server to which a proxy passes requests on. */
    readonly target_unreachable: { readonly problem: string }
    readonly target_cut: Nothing
    readonly target_no_http: { readonly code: string }
    readonly target_too_much: Count
    readonly outside_target: Nothing
    readonly target_silent: { readonly seconds: number }
    readonly no_target: Nothing
    readonly not_recorded: { readonly method: string; readonly path: string }
    readonly one_host_expected: Count
    readonly parser_says: { readonly words: string }
    readonly bytes_at_most: Count
    readonly methods_allowed: { readonly methods: readonly string[] }
    readonly try_again_in: { readonly seconds: number }
    readonly disk_says: { readonly message: string; readonly code: string }
    readonly in_log_as: Id
    /** It is a name that could be ours. */
    readonly host_could_be_allowed: { readonly host: string }

    // Reading JSON.
    readonly content_type_missing: Nothing
    readonly body_empty: Nothing
    readonly byte_order_mark: Nothing
    readonly not_utf8: Nothing
    readonly not_json: Nothing
    readonly json_is: { readonly type: string }
    readonly json_levels_at_most: Count
    readonly json_members_at_most: Count
    readonly json_values_at_most: Count
    readonly half_surrogate_pair: Nothing
    readonly member_twice: { readonly json: string }

    readonly faults_armed_at_most: Count
    readonly scopes_at_most: Nothing

    // The signature.
    readonly header_repeated: Nothing
    readonly signed_header_not_sent: { readonly name: string }
    readonly form_disabled: { readonly form: string }
    readonly date_sent_times: Count
    readonly date_form: Got
    readonly date_does_not_exist: Got
    readonly date_not_signed: Nothing
    readonly clock_away: { readonly seconds: number; readonly allowed: number }
    readonly query_not_encoded: Got
    readonly compare_texts: Nothing

    // Limits and conditions.
    readonly requests_per_minute: Count
    readonly credentials_held: Count & { readonly limit: number }
    readonly simulated: Nothing
    readonly quota_is: { readonly of: 'workspaces' | 'phones' | 'credentials' | 'messages'; readonly limit: number }

    // Things that exist or are missing.
    readonly none_there: Named
    readonly one_there: Named
    readonly not_deleted_lately: Named
    readonly cannot_return: Named
    readonly rp_is_gone: Id
    readonly key_of_another_rp: Id
    readonly main_stays: Nothing
    readonly workspace_closed: Nothing
    readonly snapshot_damaged: { readonly problem: FieldProblem }
    readonly phones_not_kept: Nothing

    // Messages, devices, the vault.
    readonly message_ids_differ: Nothing
    readonly message_damaged: Nothing
    readonly message_not_bound: Nothing
    readonly message_is: { readonly state: string }
    readonly bearer_expected: Nothing
    readonly proof_of_another_account: Nothing
    readonly account_gone: Nothing
    readonly account_without_vault: Nothing
    readonly conditions_exclude_each_other: Nothing

    // Refusals of a phone.
    readonly model_has: Got & { readonly model: string; readonly known: readonly string[] }
    readonly fault_needs_key: {
      readonly fault: string
      readonly wanted: readonly string[]
      readonly made: readonly string[]
    }
    readonly connection_broke_off: Nothing
    readonly nothing_listens: Nothing
    readonly host_name_unknown: Nothing
    readonly answer_too_long: Nothing
    readonly answer_is_not: { readonly form: 'UTF-8' | 'JSON' | 'envelope'; readonly status: number }
    readonly message_lacks: { readonly member: 'public_key' | 'rp' | 'expires_at' }
    readonly authenticator_refuses: Got & { readonly why: AuthenticatorRefusal }
    readonly storage_says: { readonly message: string }

    // The control interface.
    readonly only_at: { readonly path: string }
    readonly code_used: Nothing
    readonly token_may_not: { readonly what: TokenNeeds }
    readonly nothing_to_expire: Nothing
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
    readonly no_active_key: Nothing
    // Sending again.
    readonly no_rp_request: Nothing
    readonly no_phone_answer: Nothing
    readonly resend_elsewhere: { readonly base: string }
    readonly header_not_sendable: { readonly name: string }
    readonly body_not_kept: Nothing
    readonly answering_phone_gone: Nothing
    readonly message_not_kept: Nothing
    readonly not_answered_by_phone: Nothing
  } & RpClientProblemParams

/** Permissions that a token limited to workspaces may lack. */
export type TokenNeeds = 'reveal' | 'bench' | 'open' | 'close' | 'change' | 'quota'

export type AuthenticatorRefusal =
  | 'malformed_options'
  | 'rp_id_not_for_origin'
  | 'no_supported_algorithm'
  | 'credential_excluded'
  | 'resident_key_unavailable'
  | 'user_verification_unavailable'
  | 'large_blob_unavailable'
  | 'no_matching_credential'

export type Reason = Coded<ReasonParams>

export type FieldProblem = Extract<Reason, { readonly params: Field }>

/** The same field, seen from further out. */
export const within = (outer: string, problem: FieldProblem): FieldProblem => {
  const { field } = problem.params
  const joint = field === '' || field.startsWith('[') ? '' : '.'
  return { ...problem, params: { ...problem.params, field: `${outer}${joint}${field}` } } as FieldProblem
}

/** Details of a refusal from outside; its text copes with parameters of the wrong type. */
export const parseReason = (value: unknown): Reason | undefined =>
  isObject(value) && typeof value.code === 'string' ? (value as Reason) : undefined
