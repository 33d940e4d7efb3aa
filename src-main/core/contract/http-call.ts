import * as t from './schema.ts'

/** Where in an answer to find a value. */
export const valueSource = (description: string) =>
  t.oneForm(
    ['MEMBER', '{text: REGEX}', '{header: NAME}', '{cookie: NAME}', '{address: REGEX}'],
    [
      t.text(),
      t.object({ text: t.text('A regular expression: its first group, else all of it.') }),
      t.object({ header: t.text('Its name.') }),
      t.object({ cookie: t.text('Its name.') }),
      t.object({ address: t.text('A regular expression for the address that answered.') }),
    ],
    `${description} Members of JSON joined by dots, \`[]\` for each of a list; or the first group of a regular expression for the text or the address, or a header, or a cookie.`,
  )

export type ValueSource = t.ValueOf<ReturnType<typeof valueSource>>

const path = t.text('Below `url`, with names in braces: `/attempt?id={attempt}`; or a whole address.', {
  pattern: '^(/|https?://|\\{)',
})

const requestFields = {
  path,
  ...t.allOptional({
    method: t.choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], '`POST` with a body, else `GET`.'),
    json: t.anything('Sent as JSON. Names in braces are filled in.'),
    form: t.dictionary('Sent as a form. Names in braces are filled in.'),
    headers: t.dictionary('More headers, by name. Cookies are kept by themselves.'),
    redirects: t.whole('How many redirects it follows; 5 when absent.', { minimum: 0, maximum: 20 }),
    keep: t.typed<Readonly<Record<string, ValueSource>>>(
      t.dictionary('Names for later calls, by where the answer has them.'),
    ),
  }),
}

/** A call to a server that is not ours, as a configuration describes it. */
export const callSchema = <P extends Record<string, t.Schema>>(more: P) => t.object({ ...requestFields, ...more })

export const plainCallSchema = callSchema({})
export type HttpCall = t.ValueOf<typeof plainCallSchema>

/** One call, or several in a row, of which the last one counts. */
export const callOrCalls = <C extends t.Schema>(one: C) =>
  t.oneForm(['{path, …}', '[{path, …}, …]'], [one, t.list(one, { minItems: 1 })])
