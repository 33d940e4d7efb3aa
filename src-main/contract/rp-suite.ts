import {
  choice,
  decimal,
  dictionary,
  expecting,
  flag,
  list,
  object,
  optional,
  refined,
  type Schema,
  text,
  typed,
  type ValueOf,
  whole,
} from './schema.ts'

const method = optional(choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], '`POST` with a body, else `GET`.'))
const path = text('Below `url`, with names in braces: `/attempt?id={attempt}`.', { pattern: '^/' })
const json = optional(
  dictionary('The body. Names in braces are filled in: `{user_id}`, `{username}`, `{ids}` and what was kept.'),
)
const headers = optional(dictionary('More headers, by name. Cookies are kept by themselves.'))
const member = (description: string) => text(`${description} Members joined by dots, \`[]\` for each of a list.`)

const call = <P extends Record<string, Schema>>(more: P) => object({ method, path, json, headers, ...more })

const begin = call({
  address: optional(member('Where the answer has the address of the QR code; without it the service is asked.')),
  keep: optional(dictionary('Names for later calls, by where the answer has them: `{attempt: id}`.')),
})

const exact = optional(flag('Whether the name must be exactly this.'))

const action = typed<
  | { readonly fill: string; readonly with: string; readonly exact?: boolean }
  | { readonly press: string; readonly role?: string; readonly exact?: boolean }
>({
  anyOf: [
    object({ fill: text('The field’s label.'), with: text('`{user_id}` and `{username}` are filled in.'), exact }),
    object({ press: text('Its accessible name.'), role: optional(text('Its ARIA role: button when absent.')), exact }),
  ],
  ...expecting({ code: 'any_of', params: { forms: ['{fill: LABEL, with: TEXT}', '{press: NAME}'] } }),
})

/** How a visitor uses the RP’s page: by role and name, and by what it reads there. */
const page = object({
  path: optional(text('Below `url`; / when absent.', { pattern: '^/' })),
  register: list(action, { minItems: 1 }),
  sign_in: list(action, { minItems: 1 }),
  code: object({
    role: optional(text('The ARIA role of the code: img when absent.')),
    name: optional(text('Its accessible name.')),
  }),
  registered: text('A regular expression: the page says that the passkey is registered.'),
  signed_in: text('A regular expression whose first group is the user ID of who is signed in.'),
  failed: text('A regular expression: the page says that the request did not succeed.'),
})

/** How the suite speaks to an RP: the file of `handset run suite:rp --config`. */
export const rpSuiteSchema = refined(
  object({
    url: text('Where the RP answers: `http://127.0.0.1:8080`.', { pattern: '^https?://' }),
    calls: optional(
      object({
        register: begin,
        sign_in: begin,
        state: optional(
          call({
            read: member('Where the answer has the state of the request.'),
            done: optional(
              list(text(), { description: 'The values that mean that it succeeded; `done` when absent.' }),
            ),
            failed: optional(
              list(text(), { description: 'The values that mean that it failed; `failed` when absent.' }),
            ),
          }),
        ),
        who: call({ read: member('Where the answer has the user ID of who is signed in; null or absent: nobody.') }),
        passkeys: optional(call({ read: member('Where the answer has the credential IDs.') })),
        remove: optional(call({ read: member('Where the answer has how many were removed, or their list.') })),
      }),
    ),
    page: optional(page),
    user_id: optional(
      text('The suite’s user IDs: `{name}` is filled in. `{name}-zoë` when absent.', { pattern: '\\{name\\}' }),
    ),
    start: optional(
      object({
        program: text('Starts the RP; it ends with the suite. One of the folder of this file, or of the path.'),
        args: optional(list(text())),
        env: optional(
          dictionary('Variables. `{base_url}`, `{access_key_id}`, `{secret_key}` and `{rp_id}` are filled in.'),
        ),
      }),
    ),
    patience_s: optional(
      decimal('How long the RP may take to notice what happened; 10 when absent.', {
        exclusiveMinimum: 0,
        maximum: 600,
      }),
    ),
    answer_s: optional(
      decimal('How long one answer of the RP may take; 5 when absent.', { exclusiveMinimum: 0, maximum: 600 }),
    ),
    parallel: optional(whole('So many faults at once; 4 when absent.', { minimum: 1, maximum: 64 })),
  }),
  ({ calls, page }) => (calls === undefined) !== (page === undefined),
  { code: 'any_of', params: { forms: ['{url, calls}', '{url, page}'] } },
)

export type RpSuite = ValueOf<typeof rpSuiteSchema>
