import { call, callOrCalls, plainCall, reading } from './http-call.ts'
import {
  decimal,
  dictionary,
  expecting,
  flag,
  list,
  object,
  optional,
  refined,
  text,
  typed,
  type ValueOf,
  whole,
} from './schema.ts'

const begin = call({
  address: optional(reading('Where the answer has the address of the QR code; without it the service is asked.')),
  refused: optional(text('A regular expression: the answer says that the request was not begun, whatever its status.')),
})

/** The last call begins the request. */
const beginning = callOrCalls(begin)

const exact = optional(flag('Whether the name must be exactly this.'))

/** The actions have the same names as in a scenario’s `browser`. */
const action = typed<PageAction>({
  anyOf: [
    object({ open: text('An address, or a path below `url`.') }),
    object({ fill: text('The field’s label.'), with: text('Names in braces are filled in.'), exact }),
    object({ press: text('Its accessible name.'), role: optional(text('Its ARIA role: button when absent.')), exact }),
  ],
  ...expecting({ code: 'any_of', params: { forms: ['{open: PATH}', '{fill: LABEL, with: TEXT}', '{press: NAME}'] } }),
})

export type PageAction =
  | { readonly open: string }
  | { readonly fill: string; readonly with: string; readonly exact?: boolean }
  | { readonly press: string; readonly role?: string; readonly exact?: boolean }

/** Content visible on a page. */
export type Sign =
  | string
  | { readonly text: string }
  | { readonly address: string }
  | { readonly cookie: string }
  | { readonly role: string; readonly name: string }

const sign = (description: string) =>
  typed<Sign>({
    description: `${description} A regular expression for the text; or for the address, or for the name of an element, or the name of a cookie.`,
    anyOf: [
      text(),
      object({ text: text() }),
      object({ address: text() }),
      object({ cookie: text() }),
      object({ role: text('Its ARIA role.'), name: text('A regular expression for its accessible name.') }),
    ],
    ...expecting({
      code: 'any_of',
      params: { forms: ['REGEX', '{address: REGEX}', '{cookie: NAME}', '{role: ROLE, name: REGEX}'] },
    }),
  })

const actions = list(action, { minItems: 1 })

const page = object({
  path: optional(text('Where a visitor begins, below `url`; / when absent.', { pattern: '^/' })),
  register: actions,
  sign_in: actions,
  push: optional(actions),
  sign_out: optional(actions),
  code: optional(
    object({
      role: optional(text('The ARIA role of the code: img when absent.')),
      name: optional(text('Its accessible name.')),
    }),
  ),
  registered: sign('The page says that the passkey is registered.'),
  signed_in: sign('The page says that somebody is signed in; the first group, else all of it, is who.'),
  failed: sign('The page says that the request did not succeed.'),
  keep: optional(
    typed<Readonly<Record<string, string>>>(
      dictionary('Names for later steps, by a regular expression for the page that says `registered`.'),
    ),
  ),
})

const calls = object({
  register: beginning,
  sign_in: beginning,
  push: optional(beginning),
  state: optional(
    call({
      read: reading('Where the answer has the state of the request.'),
      done: optional(list(text(), { description: 'The values that mean that it succeeded; `done` when absent.' })),
      failed: optional(list(text(), { description: 'The values that mean that it failed; `failed` when absent.' })),
    }),
  ),
  who: call({ read: reading('Where the answer has who is signed in; null, empty or absent: nobody.') }),
  sign_out: optional(call({})),
  passkeys: optional(call({ read: reading('Where the answer has the credential IDs.') })),
  remove: optional(call({ read: optional(reading('Where the answer has how many were removed, or their list.')) })),
})

const variables = dictionary('Variables. Names in braces are filled in.')

const program = object({
  program: text('One of the folder of this file, or of the path.'),
  args: optional(list(text())),
  env: optional(variables),
})

/** The file of `handset suite rp --config`. */
export const rpSuiteSchema = refined(
  object({
    url: text('Where the RP answers: `http://127.0.0.1:8080`.', { pattern: '^https?://' }),
    ca: optional(text('A PEM file with the CA of an RP behind https; names in braces are filled in.')),
    calls: optional(calls),
    page: optional(page),
    user_id: optional(
      text(
        'What a user is called when they register: `{name}` is eight letters, `{digits}` five digits. `{name}-zoë` when absent.',
        { pattern: '\\{(name|digits)\\}' },
      ),
    ),
    before: optional(
      list(
        typed<{ readonly http: ValueOf<typeof plainCall> } | { readonly exec: ValueOf<typeof program> }>({
          anyOf: [object({ http: plainCall }), object({ exec: program })],
          ...expecting({ code: 'any_of', params: { forms: ['{http: {path, …}}', '{exec: {program, …}}'] } }),
        }),
        { description: 'What makes the account of each new user, where it must exist first.' },
      ),
    ),
    start: optional(program),
    patience_s: optional(
      decimal('How long the RP may take to notice what happened; 10 when absent.', {
        exclusiveMinimum: 0,
        maximum: 600,
      }),
    ),
    answer_s: optional(
      decimal('How long one answer of the RP may take; 5 when absent.', { exclusiveMinimum: 0, maximum: 600 }),
    ),
    parallel: optional(whole('So many stories at once; 4 when absent, 6 by its page.', { minimum: 1, maximum: 64 })),
  }),
  ({ calls, page }) => (calls === undefined) !== (page === undefined),
  { code: 'any_of', params: { forms: ['{url, calls}', '{url, page}'] } },
)

export type RpSuite = ValueOf<typeof rpSuiteSchema>
export type RpSuiteCalls = NonNullable<RpSuite['calls']>
export type RpSuitePage = NonNullable<RpSuite['page']>
