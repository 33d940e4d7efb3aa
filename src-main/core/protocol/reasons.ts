import { type AnyCoded, type Coded, type ParamsOf, textOf } from './coded.ts'
import { findNearest } from './nearest.ts'

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
type Came = readonly { readonly seq: number; readonly text: string }[]
type Waited = Count & { readonly timeout_ms: number; readonly match: string; readonly came: Came }

/** Limits of a number. */
type Range = { readonly least?: number; readonly above?: number; readonly most?: number }

const rangeText = ({ above, least, most }: Range): string => {
  if (above !== undefined) return ` above ${above}${most === undefined ? '' : `, at most ${most}`}`
  if (least === undefined) return most === undefined ? '' : ` of at most ${most}`
  return most === undefined ? ` of at least ${least}` : ` from ${least} to ${most}`
}

/** What a value must be, in English. Each follows "must be". */
export const expectedTexts = {
  something_else: 'something else',
  value: ({ json }: { json: string }) => `exactly ${json}`,
  one_of: ({ values }: { values: readonly string[] }) => `one of ${values.join(', ')}`,
  /** `forms`: names of JSON types, or the members of an object in braces. */
  any_of: ({ forms }: { forms: readonly string[] }) => forms.join(', or '),
  object: 'a JSON object',
  list: 'a list',
  distinct_list: 'a list in which nothing is repeated',
  entries_at_least: ({ count }: Count) => `a list of at least ${count} ${count === 1 ? 'entry' : 'entries'}`,
  entries_at_most: ({ count }: Count) => `a list of at most ${count} entries`,
  text: 'a text',
  text_not_empty: 'a text that is not empty',
  characters_at_least: ({ count }: Count) => `a text of at least ${count} characters`,
  characters_at_most: ({ count }: Count) => `a text of at most ${count} characters`,
  text_of_form: ({ pattern }: { pattern: string }) => `a text of the form ${pattern}`,
  number: (limits: Range) => `a number${rangeText(limits)}`,
  whole_number: (limits: Range) => `a whole number${rangeText(limits)}`,
  true_or_false: 'true or false',
  null: 'null',

  name: ({ count }: Count) => `a text of 1 to ${count} characters without control characters`,
  name_on_a_line: ({ count }: Count) => `a text of 1 to ${count} characters on one line, not only spaces`,
  phone_number: '3 to 20 digits, with or without "+"',
  access_key_id: '1 to 128 letters, digits and any of ._~-',
  loopback_origin: 'an http address of this machine such as "http://localhost:8080", without a path',
  domain: 'a domain such as "shop.example", lower case, without scheme and port',
  origin: 'an origin such as "https://shop.example"',
  workspace_id: '1 to 40 of a-z, 0-9 and "-", no "-" at either end',
  error_code: 'a code of the error table, such as 40403',
  scenario: 'a mapping with name and steps',
  phones_by_name: 'a mapping of short names to phones',
  time_limit: '{s: SECONDS} or {ms: MILLISECONDS}, at most 10 minutes',
  scenario_step: ({ words }: { words: readonly string[] }) =>
    `one word with what belongs to it, such as scan: {phone: alice}; the words are ${words.join(', ')}`,
  indented_fields: 'a mapping: indent its fields further than its name',
  something_to_change: 'a mapping with something to change',
  event_fields: 'a mapping with fields of an event, such as kind: message',
  phone_fields: 'a mapping with phone and fields of a phone, such as network: online',
  rps_by_name: 'a mapping of short names to RPs, such as shop: {rp_id: shop.example}',
  short_name: '1 to 64 letters, digits, "_" and "-", beginning with a letter or "_"',
  tag: '1 to 64 letters, digits, "_" and "-"',
  fields_of_one_kind: 'fields that one kind of event has together',
  or_null: ({ expected: wanted }: { expected: AnyCoded }) => `${textOf(expectedTexts, wanted)}, or null`,
  json_of: ({ expected: wanted }: { expected: AnyCoded }) => `the JSON text of ${textOf(expectedTexts, wanted)}`,
  json: 'JSON text',
  origins: 'a list of origins, at least one',
  secret_key: 'a secret key',
  public_key: 'a COSE public key in base64url',
  uuid: 'a UUID',
  format_name: 'the name of a format',
  phone_fault: ({ near }: { near?: string }) =>
    `a fault of phones (handset faults, GET /faults)${near === undefined ? '' : `, such as ${near}`}`,
  service_fault: 'a name of the catalogue (handset faults --service, GET /service-faults)',
  etag: 'one ETag in quotes, or *',
  certificate: 'one X.509 certificate as PEM, or its DER in base64',
  moment: 'a time such as 2030-01-01T12:00:00Z, from 1970 to 9999',
  picture: 'a PNG or JPEG in base64',
  regular_expression: ({ error }: { error?: string }) =>
    `a regular expression${error === undefined ? '' : ` (${error})`}`,
  glob: 'a text with * and ?',
  row_of: ({ table }: { table: string }) => `the id of a row of "${table}"`,
  fit_for_row: 'something that fits the rest of its row',
  id_of_document: 'the id that its document has',
  stored_value: 'what a phone stores there',
  base64url_bytes: ({ least, most }: { least: number; most: number }) =>
    `base64url of ${least === most ? most : `${least} to ${most}`} bytes`,
  base64url_characters: ({ count }: Count) => `1 to ${count} characters of base64url without padding`,
}

type Expected = Coded<ParamsOf<typeof expectedTexts>>

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

/** Permissions that a token limited to workspaces may lack, in English. */
const tokenNeeds = {
  reveal: 'It may not read secrets: it was made without --reveal-secrets.',
  bench: 'It is limited to workspaces, and this concerns the whole bench.',
  open: 'It may not open workspaces: it was made without --may-open.',
  close: 'It may close only workspaces that it opened.',
  change: 'It may change only workspaces that it opened.',
  quota: 'It may not set quotas.',
}

export type TokenNeeds = keyof typeof tokenNeeds

/** The member of a message that a phone misses, in English. */
const messageLacks = {
  public_key: 'Its public_key is not what WebAuthn says it is.',
  rp: 'It does not say who asks.',
  expires_at: 'It does not say until when.',
}

/** `field`: its path in the document, such as `phones[0].json.model`; empty for the whole document. */
const fieldText = (field: string): string => (field === '' ? 'The document' : `"${field}"`)

/** A longer list of names is left out if it is clear which name was meant. */
const LONG_LIST = 12

const unknownText = ({ field, known }: Unknown): string => {
  const near = findNearest(field.split('.').at(-1) ?? field, known)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  const all = known.length === 0 ? ' Nothing is.' : ` Known are: ${known.join(', ')}.`
  return `${fieldText(field)} is not known here.${meant}${near !== undefined && known.length > LONG_LIST ? '' : all}`
}

/** Details of an error, in English. Each follows the sentence of the error. */
export const reasons = {
  field_missing: ({ field, unknown: other }: Field & { unknown?: Unknown }) =>
    `${fieldText(field)} is missing.${other === undefined ? '' : ` ${unknownText(other)}`}`,
  field_unknown: (field: Unknown) => unknownText(field),
  field_unfit: ({ field, expected: wanted, got }: Field & { expected: Expected; got?: string }) =>
    `${fieldText(field)} must be ${textOf(expectedTexts, wanted)}${got === undefined ? '' : `; got ${got}`}.`,
  field_encoding: ({ field }: Field) => `${fieldText(field)} is not percent-encoded UTF-8.`,
  field_twice: ({ field }: Field) => `${fieldText(field)} is given twice.`,
  field_contradicts: ({ field }: Field) => `${fieldText(field)} is given twice, with different values.`,

  got: ({ got }: Got) => `Got ${got}.`,

  field_repeats: ({ field, other, value }: Field & { other: string; value: string }) =>
    `${fieldText(field)} repeats that of ${other}: ${value}.`,

  expected_chunked: ({ got }: Got) => `Expected chunked, got ${got}.`,
  https_expected: 'This port speaks https. Write https:// in the address.',
  no_authority: 'This bench has made no certificate authority; handset serve --tls makes one.',
  only_100_continue: 'Only "100-continue" can be expected.',
  no_proxy: 'This is not a proxy.',
  /** The target is the server to which a proxy forwards requests. */
  target_unreachable: ({ problem }: { problem: string }) => `It cannot be reached: ${problem}.`,
  target_cut: 'It ended the connection before its answer was complete. It may have carried the request out.',
  target_no_http: ({ code }: { code: string }) => `What it answered is no HTTP: ${code}.`,
  target_too_much: ({ count }: Count) => `Its answer has more than ${count} bytes.`,
  outside_target: 'The path leads out of the address of the target.',
  target_silent: ({ seconds }: { seconds: number }) =>
    `There was no answer within ${seconds} s. It may have carried the request out.`,
  no_target: 'The proxy was started without --app-url, so that no phone can use it.',
  not_recorded: ({ method, path }: { method: string; path: string }) =>
    `The recording has no answer to ${method} ${path}, and there is no --target.`,
  path_expected: 'Expected a path as request target.',
  one_host_expected: ({ count }: Count) => `Expected one Host header, got ${count}.`,
  parser_says: ({ words }: { words: string }) => `Expected HTTP/1.1, got: ${words}.`,
  bytes_at_most: ({ count }: Count) => `At most ${count} bytes.`,
  methods_allowed: ({ methods }: { methods: readonly string[] }) => `Allowed: ${methods.join(', ')}.`,
  try_again_in: ({ seconds }: { seconds: number }) => `Try again in ${seconds} s.`,
  disk_says: ({ message, code }: { message: string; code: string }) => `The system says: ${message} (${code}).`,
  in_log_as: ({ id }: Id) => `It is in the log as ${id}.`,
  /** The refused host is a valid name, which the user may allow. */
  host_could_be_allowed: ({ host }: { host: string }) =>
    `Got ${JSON.stringify(host)}. If this name leads to Handset, start it with --allow-host ${host}.`,

  content_type_missing: 'There is no Content-Type.',
  body_empty: 'It is empty.',
  byte_order_mark: 'It begins with a byte order mark.',
  not_utf8: 'It is not UTF-8.',
  not_json: 'It is not valid JSON.',
  json_is: ({ type }: { type: string }) =>
    `It is ${type === 'null' ? type : `${type === 'array' ? 'an' : 'a'} ${type}`}.`,
  json_levels_at_most: ({ count }: Count) => `It is nested deeper than ${count} levels.`,
  json_members_at_most: ({ count }: Count) => `It has an object with more than ${count} members.`,
  json_values_at_most: ({ count }: Count) => `It has more than ${count} values.`,
  scopes_at_most: '100 scopes have conditions of their own, which is the most. Reset some first.',
  faults_armed_at_most: ({ count }: Count) =>
    `${count} faults of the service are armed, which is the most. Disarm some first.`,

  half_surrogate_pair: 'It has half of a surrogate pair.',
  member_twice: ({ json }: { json: string }) => `It has the member ${json} twice.`,

  header_repeated: 'The header is sent more than once.',
  algorithm_expected: ({ algorithm }: { algorithm: string }) => `It must begin with "${algorithm} ".`,
  authorization_parts: ({ count }: Count) =>
    `Expected two parts (short form) or three (general form) between commas, got ${count}.`,
  key_and_scope_expected: 'Expected "<access_key_id>/<credential_scope>" before the first comma.',
  signed_headers_form: 'The signed headers must be lower-case header names joined by ";", without spaces.',
  signed_headers_order: 'The signed headers must be in ascending order, each of them once.',
  signature_form: 'The signature must be 64 lower-case hex digits.',
  signed_header_not_sent: ({ name }: { name: string }) => `It names "${name}" as signed, and no such header came.`,
  form_disabled: ({ form }: { form: string }) => `The ${form} form is switched off (profile authorization_forms).`,
  date_sent_times: ({ count }: Count) => `Got it ${count} times.`,
  date_form: ({ got }: Got) => `Got ${got}; expected YYYYMMDDTHHMMSSZ.`,
  date_does_not_exist: ({ got }: Got) => `Got ${got}; expected a date that exists.`,
  date_not_signed: 'x-svc-date must be among the signed headers (profile require_signed_date).',
  clock_away: ({ seconds, allowed }: { seconds: number; allowed: number }) =>
    `It is ${seconds} s away; ${allowed} s are allowed.`,
  scope_not_utf8: 'The scope is not UTF-8.',
  scope_expected: ({ module, got }: { module: string; got: string }) =>
    `Expected "${module}/<identifier>", got ${got}.`,
  scope_date: ({ scope, date }: { scope: string; date: string }) =>
    `The scope's date is ${scope}, X-Svc-Date's day is ${date}.`,
  query_not_encoded: ({ got }: Got) => `${got} in the query is not a percent-encoded octet.`,
  compare_texts: 'Here is what the service computed; compare it with what you signed, line by line.',

  requests_per_minute: ({ count }: Count) => `${count} in a minute are allowed.`,
  credentials_held: ({ count, limit }: Count & { limit: number }) => `It has ${count}; ${limit} are allowed.`,
  quota_is: ({ of, limit }: { of: 'workspaces' | 'phones' | 'credentials' | 'messages'; limit: number }) =>
    `The quota is ${limit} ${of === 'messages' ? 'messages under way' : of}.`,
  simulated: 'Simulated: the network conditions refuse this call.',

  none_there: ({ kind, id }: Named) => `There is no ${objectKinds[kind]} ${JSON.stringify(id)}.`,
  one_there: ({ kind, id }: Named) => `The ${objectKinds[kind]} ${JSON.stringify(id)} is there already.`,
  not_deleted_lately: ({ kind, id }: Named) =>
    `No ${objectKinds[kind]} ${JSON.stringify(id)} was deleted lately; the last 20 deletions can be taken back.`,
  cannot_return: ({ kind, id }: Named) =>
    `The ${objectKinds[kind]} ${JSON.stringify(id)} is there again, or what it belonged to is gone.`,
  rp_is_gone: ({ id }: Id) => `The access key ${JSON.stringify(id)} cannot return: its RP is gone.`,
  key_of_another_rp: ({ id }: Id) => `Another RP has the access key ${JSON.stringify(id)}.`,
  main_stays: 'The workspace "main" cannot be closed.',
  workspace_closed: 'The workspace was closed meanwhile.',
  snapshot_damaged: ({ problem }: { problem: AnyCoded }): string =>
    `The snapshot is damaged and can only be deleted. ${textOf(reasons, problem)}`,
  phones_not_kept: 'The phones of this snapshot were not kept.',

  message_ids_differ: 'msg_id and id name different messages.',
  message_damaged: 'It is damaged.',
  message_not_bound: 'The message is not bound yet.',
  message_is: ({ state }: { state: string }) => `The message is in state ${state}.`,
  bearer_expected: 'Expected "Authorization: Bearer <device_token>".',
  proof_of_another_account: 'This account is protected, and the proof is not its own.',
  account_gone: 'The account is gone.',
  account_without_vault: 'An account that was made without a proof has no vault.',
  conditions_exclude_each_other: 'If-Match and If-None-Match exclude each other.',

  model_has: ({ got, model, known }: Got & { model: string; known: readonly string[] }) =>
    `Got ${got}; ${model} has ${known.join(', ')}.`,
  fault_needs_key: ({ fault, wanted, made }: { fault: string; wanted: readonly string[]; made: readonly string[] }) =>
    `${fault} needs a key of ${wanted.join(', ')}; this phone makes ${made.join(', ')}.`,
  connection_broke_off: 'The connection broke off.',
  nothing_listens: 'Nothing listens there.',
  host_name_unknown: 'Its name is not known.',
  answer_too_long: 'It is too long.',
  answer_is_not: ({ form, status }: { form: 'UTF-8' | 'JSON' | 'envelope'; status: number }) =>
    `It is not ${form === 'envelope' ? 'an envelope' : form} (HTTP ${status}).`,
  message_lacks: ({ member }: { member: keyof typeof messageLacks }) => messageLacks[member],
  authenticator_refuses: ({ why, got }: Got & { why: AuthenticatorRefusal }) =>
    `${authenticatorRefusals[why]} (${got})`,
  storage_says: ({ message }: { message: string }) => `The storage says: ${message}.`,

  only_at: ({ path }: { path: string }) => `It is only at ${path}.`,
  code_used: 'This code was used before, or never was one.',
  token_may_not: ({ what }: { what: TokenNeeds }) => tokenNeeds[what],
  nothing_to_expire: 'No message is under way, so that none can expire.',
  real_goes_alone: ({ others }: { others: readonly string[] }) =>
    `"real" goes alone, for it means real time, running at speed 1; got it with ${others.map((key) => `"${key}"`).join(' and ')}. "now", "frozen" and "speed" go together.`,
  no_request_of_rp: ({ id }: Id) => `This RP has no request ${JSON.stringify(id)}.`,
  no_message_events: ({ id }: Id) => `There is no event of a message ${id}; only the latest events are kept.`,
  no_exchange: ({ seq }: { seq: string }) => `There is no exchange ${seq}; only the latest events are kept.`,
  signature_not_refused: ({ code }: { code: number }) => `It was not refused for its signature: its code is ${code}.`,
  waited: ({ timeout_ms, match, count, came }: Waited) => {
    const others = came.map(({ seq, text }) => `#${seq} ${text}`).join('; ')
    return `Waited ${timeout_ms} ms for ${match}. ${count === 0 ? 'Nothing came.' : `${count} others came: ${others}.`}`
  },
  no_active_key: 'This RP has no active access key to sign with. Make or enable one in the console.',
  no_rp_request: 'Only requests of RPs are sent again like this. A phone’s answer is sent again with /answer.',
  no_phone_answer: 'Only the answer of a phone, to a registration or a sign-in, is answered again.',
  resend_elsewhere: ({ base }: { base: string }) =>
    `A request is sent again to this service alone: its path begins with ${base}/rp/.`,
  header_not_sendable: ({ name }: { name: string }) =>
    `${name} is about the connection, and Handset writes it. Leave it out.`,
  body_not_kept: 'The recorded body is not complete: parts are masked or no text. Give the body to send.',
  answering_phone_gone: 'The phone that answered is no longer on this bench, or is signed in as another device.',
  message_not_kept: 'How its registration or sign-in began is no longer kept.',
  not_answered_by_phone: 'The phone did not answer: it is set to reject, ignore or wait.',
}

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
