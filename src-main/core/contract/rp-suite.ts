import { callOrCalls, callSchema, plainCallSchema, valueSource } from './http-call.ts'
import * as t from './schema.ts'

const begin = callSchema({
  address: t.optional(valueSource('Where the answer has the address of the QR code; without it the service is asked.')),
  refused: t.optional(
    t.text('A regular expression: the answer says that the request was not begun, whatever its status.'),
  ),
})

/** The last call begins the request. */
const beginning = callOrCalls(begin)

const exact = t.optional(t.flag('Whether the name must be exactly this.'))

/** The actions have the same names as in a scenario’s `browser`. */
const action = t.oneForm(
  ['{open: PATH}', '{fill: LABEL, with: TEXT}', '{press: NAME}'],
  [
    t.object({ open: t.text('An address, or a path below `url`.') }),
    t.object({ fill: t.text('The field’s label.'), with: t.text('Names in braces are filled in.'), exact }),
    t.object({
      press: t.text('Its accessible name.'),
      role: t.optional(t.text('Its ARIA role: button when absent.')),
      exact,
    }),
  ],
)

export type PageAction = t.ValueOf<typeof action>

/** Content visible on a page. */
const sign = (description: string) =>
  t.oneForm(
    ['REGEX', '{address: REGEX}', '{cookie: NAME}', '{role: ROLE, name: REGEX}'],
    [
      t.text(),
      t.object({ text: t.text() }),
      t.object({ address: t.text() }),
      t.object({ cookie: t.text() }),
      t.object({ role: t.text('Its ARIA role.'), name: t.text('A regular expression for its accessible name.') }),
    ],
    `${description} A regular expression for the text; or for the address, or for the name of an element, or the name of a cookie.`,
  )

export type PageSign = t.ValueOf<ReturnType<typeof sign>>

const actions = t.list(action, { minItems: 1 })

const page = t.object({
  path: t.optional(t.text('Where a visitor begins, below `url`; / when absent.', { pattern: '^/' })),
  register: actions,
  sign_in: actions,
  push: t.optional(actions),
  sign_out: t.optional(actions),
  code: t.optional(
    t.partial({ role: t.text('The ARIA role of the code: img when absent.'), name: t.text('Its accessible name.') }),
  ),
  registered: sign('The page says that the passkey is registered.'),
  signed_in: sign('The page says that somebody is signed in; the first group, else all of it, is who.'),
  failed: sign('The page says that the request did not succeed.'),
  keep: t.optional(
    t.typed<Readonly<Record<string, string>>>(
      t.dictionary('Names for later steps, by a regular expression for the page that says `registered`.'),
    ),
  ),
})

const calls = t.object({
  register: beginning,
  sign_in: beginning,
  push: t.optional(beginning),
  state: t.optional(
    callSchema({
      read: valueSource('Where the answer has the state of the request.'),
      ...t.allOptional({
        done: t.list(t.text(), 'The values that mean that it succeeded; `done` when absent.'),
        failed: t.list(t.text(), 'The values that mean that it failed; `failed` when absent.'),
      }),
    }),
  ),
  who: callSchema({ read: valueSource('Where the answer has who is signed in; null, empty or absent: nobody.') }),
  sign_out: t.optional(callSchema({})),
  passkeys: t.optional(callSchema({ read: valueSource('Where the answer has the credential IDs.') })),
  remove: t.optional(
    callSchema({ read: t.optional(valueSource('Where the answer has how many were removed, or their list.')) }),
  ),
})

const variables = t.dictionary('Variables. Names in braces are filled in.')

const program = t.object({
  program: t.text('One of the folder of this file, or of the path.'),
  args: t.optional(t.list(t.text())),
  env: t.optional(variables),
})

/** The file of `handset suite rp --config`. */
export const rpSuiteSchema = t.refined(
  t.object({
    url: t.text('Where the RP answers: `http://127.0.0.1:8080`.', { pattern: '^https?://' }),
    ...t.allOptional({
      ca: t.text('A PEM file with the CA of an RP behind https; names in braces are filled in.'),
      calls,
      page,
      user_id: t.text(
        'What a user is called when they register: `{name}` is eight letters, `{digits}` five digits. `{name}-zoë` when absent.',
        { pattern: '\\{(name|digits)\\}' },
      ),
      before: t.list(
        t.oneForm(
          ['{http: {path, …}}', '{exec: {program, …}}'],
          [t.object({ http: plainCallSchema }), t.object({ exec: program })],
        ),
        'What makes the account of each new user, where it must exist first.',
      ),
      start: program,
      patience_s: t.decimal('How long the RP may take to notice what happened; 10 when absent.', {
        exclusiveMinimum: 0,
        maximum: 600,
      }),
      answer_s: t.decimal('How long one answer of the RP may take; 5 when absent.', {
        exclusiveMinimum: 0,
        maximum: 600,
      }),
      parallel: t.whole('So many stories at once; 4 when absent, 6 by its page.', { minimum: 1, maximum: 64 }),
    }),
  }),
  ({ calls, page }) => (calls === undefined) !== (page === undefined),
  { code: 'any_of', params: { forms: ['{url, calls}', '{url, page}'] } },
)

export type RpSuite = t.ValueOf<typeof rpSuiteSchema>
export type RpSuiteCalls = NonNullable<RpSuite['calls']>
export type RpSuitePage = NonNullable<RpSuite['page']>
