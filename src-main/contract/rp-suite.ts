import {
  choice,
  decimal,
  dictionary,
  list,
  object,
  optional,
  type Schema,
  text,
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

/** How the suite speaks to an RP: the file of `handset run suite:rp --config`. */
export const rpSuiteSchema = object({
  url: text('Where the RP answers: `http://127.0.0.1:8080`.', { pattern: '^https?://' }),
  calls: object({
    register: begin,
    sign_in: begin,
    state: optional(
      call({
        read: member('Where the answer has the state of the request.'),
        done: optional(list(text(), { description: 'The values that mean that it succeeded; `done` when absent.' })),
        failed: optional(list(text(), { description: 'The values that mean that it failed; `failed` when absent.' })),
      }),
    ),
    who: call({ read: member('Where the answer has the user ID of who is signed in; null or absent: nobody.') }),
    passkeys: optional(call({ read: member('Where the answer has the credential IDs.') })),
    remove: optional(call({ read: member('Where the answer has how many were removed, or their list.') })),
  }),
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
    decimal('How long the RP may take to notice what happened; 10 when absent.', { exclusiveMinimum: 0, maximum: 600 }),
  ),
  answer_s: optional(
    decimal('How long one answer of the RP may take; 5 when absent.', { exclusiveMinimum: 0, maximum: 600 }),
  ),
  parallel: optional(whole('So many faults at once; 4 when absent.', { minimum: 1, maximum: 64 })),
})

export type RpSuite = ValueOf<typeof rpSuiteSchema>
