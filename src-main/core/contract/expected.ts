import type { Coded, Nothing } from '../protocol/coded.ts'

type Count = { readonly count: number }
type Range = { readonly least?: number; readonly above?: number; readonly most?: number }

/** Expected values of a field, each with the parameters of its sentence. */
export type ExpectedParams = {
  readonly something_else: Nothing
  readonly value: { readonly json: string }
  readonly one_of: { readonly values: readonly string[] }
  /** Names of JSON types, or the members of an object in braces. */
  readonly any_of: { readonly forms: readonly string[] }
  readonly object: Nothing
  readonly list: Nothing
  readonly distinct_list: Nothing
  readonly entries_at_least: Count
  readonly entries_at_most: Count
  readonly text: Nothing
  readonly text_not_empty: Nothing
  readonly characters_at_least: Count
  readonly characters_at_most: Count
  readonly text_of_form: { readonly pattern: string }
  readonly number: Range
  readonly whole_number: Range
  readonly true_or_false: Nothing
  readonly null: Nothing

  readonly name: Count
  readonly name_on_a_line: Count
  readonly phone_number: Nothing
  readonly access_key_id: Nothing
  readonly domain: Nothing
  readonly origin: Nothing
  readonly workspace_id: Nothing
  readonly error_code: Nothing
  readonly scenario: Nothing
  readonly phones_by_name: Nothing
  readonly time_limit: Nothing
  readonly scenario_step: { readonly words: readonly string[] }
  readonly something_to_change: Nothing
  readonly event_fields: Nothing
  readonly phone_fields: Nothing
  readonly rps_by_name: Nothing
  readonly short_name: Nothing
  readonly tag: Nothing
  readonly fields_of_one_kind: Nothing
  readonly or_null: { readonly expected: Expected }
  readonly json_of: { readonly expected: Expected }
  readonly json: Nothing
  readonly origins: Nothing
  readonly secret_key: Nothing
  readonly public_key: Nothing
  readonly uuid: Nothing
  readonly format_name: Nothing
  readonly etag: Nothing
  readonly service_fault: Nothing
  readonly phone_fault: { readonly near?: string }
  readonly certificate: Nothing
  readonly moment: Nothing
  readonly picture: Nothing
  /** `error` is the reader’s own word. */
  readonly regular_expression: { readonly error?: string }
  readonly glob: Nothing
  readonly row_of: { readonly table: string }
  readonly fit_for_row: Nothing
  readonly id_of_document: Nothing
  readonly stored_value: Nothing
  readonly base64url_bytes: { readonly least: number; readonly most: number }
  readonly base64url_characters: Count
}

export type Expected = Coded<ExpectedParams>
