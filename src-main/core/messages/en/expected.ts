import type { ExpectedParams } from '../../contract/expected.ts'
import { type Texts, textOf } from '../text.ts'

type Range = ExpectedParams['number']

const range = ({ above, least, most }: Range): string => {
  if (above !== undefined) return ` above ${above}${most === undefined ? '' : `, at most ${most}`}`
  if (least === undefined) return most === undefined ? '' : ` of at most ${most}`
  return most === undefined ? ` of at least ${least}` : ` from ${least} to ${most}`
}

/** What a field has to be: it follows "must be". */
export const expected: Texts<ExpectedParams> = {
  something_else: 'something else',
  value: ({ json }) => `exactly ${json}`,
  one_of: ({ values }) => `one of ${values.join(', ')}`,
  any_of: ({ forms }) => forms.join(', or '),
  object: 'a JSON object',
  list: 'a list',
  distinct_list: 'a list in which nothing is repeated',
  entries_at_least: ({ count }) => `a list of at least ${count} ${count === 1 ? 'entry' : 'entries'}`,
  entries_at_most: ({ count }) => `a list of at most ${count} entries`,
  text: 'a text',
  text_not_empty: 'a text that is not empty',
  characters_at_least: ({ count }) => `a text of at least ${count} characters`,
  characters_at_most: ({ count }) => `a text of at most ${count} characters`,
  text_of_form: ({ pattern }) => `a text of the form ${pattern}`,
  number: (limits) => `a number${range(limits)}`,
  whole_number: (limits) => `a whole number${range(limits)}`,
  true_or_false: 'true or false',
  null: 'null',

  name: ({ count }) => `a text of 1 to ${count} characters without control characters`,
  name_on_a_line: ({ count }) => `a text of 1 to ${count} characters on one line, not only spaces`,
  phone_number: '3 to 20 digits, with or without "+"',
  access_key_id: '1 to 128 letters, digits and any of ._~-',
  domain: 'a domain such as "shop.example", lower case, without scheme and port',
  origin: 'an origin such as "https://shop.example"',
  workspace_id: '1 to 40 of a-z, 0-9 and "-", no "-" at either end',
  error_code: 'a code of the error table, such as 40403',
  scenario: 'a mapping with name and steps',
  phones_by_name: 'a mapping of short names to phones',
  time_limit: '{s: SECONDS} or {ms: MILLISECONDS}, at most 10 minutes',
  scenario_step: ({ words }) =>
    `one word with what belongs to it, such as scan: {phone: alice}; the words are ${words.join(', ')}`,
  something_to_change: 'a mapping with something to change',
  event_fields: 'a mapping with fields of an event, such as kind: message',
  phone_fields: 'a mapping with phone and fields of a phone, such as network: online',
  rps_by_name: 'a mapping of short names to RPs, such as shop: {rp_id: shop.example}',
  short_name: '1 to 64 letters, digits, "_" and "-", beginning with a letter or "_"',
  tag: '1 to 64 letters, digits, "_" and "-"',
  fields_of_one_kind: 'fields that one kind of event has together',
  or_null: ({ expected: wanted }) => `${textOf(expected, wanted)}, or null`,
  json_of: ({ expected: wanted }) => `the JSON text of ${textOf(expected, wanted)}`,
  json: 'JSON text',
  origins: 'a list of origins, at least one',
  secret_key: 'a secret key',
  public_key: 'a COSE public key in base64url',
  uuid: 'a UUID',
  format_name: 'the name of a format',
  phone_fault: ({ near }) =>
    `a fault of phones (handset faults, GET /faults)${near === undefined ? '' : `, such as ${near}`}`,
  service_fault: 'a name of the catalogue (handset faults --service, GET /service-faults)',
  etag: 'one ETag in quotes, or *',
  certificate: 'one X.509 certificate as PEM, or its DER in base64',
  moment: 'a time such as 2030-01-01T12:00:00Z, from 1970 to 9999',
  picture: 'a PNG or JPEG in base64',
  regular_expression: ({ error }) => `a regular expression${error === undefined ? '' : ` (${error})`}`,
  glob: 'a text with * and ?',
  row_of: ({ table }) => `the id of a row of "${table}"`,
  fit_for_row: 'something that fits the rest of its row',
  id_of_document: 'the id that its document has',
  stored_value: 'what a phone stores there',
  base64url_bytes: ({ least, most }) => `base64url of ${least === most ? most : `${least} to ${most}`} bytes`,
  base64url_characters: ({ count }) => `1 to ${count} characters of base64url without padding`,
}
