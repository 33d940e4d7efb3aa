import {
  anything,
  choice,
  dictionary,
  expecting,
  list,
  object,
  optional,
  type Schema,
  text,
  typed,
  type ValueOf,
  whole,
} from './schema.ts'

/** Where in an answer to find a value. */
export type Reading =
  | string
  | { readonly text: string }
  | { readonly header: string }
  | { readonly cookie: string }
  | { readonly address: string }

export const reading = (description: string) =>
  typed<Reading>({
    description: `${description} Members of JSON joined by dots, \`[]\` for each of a list; or the first group of a regular expression for the text or the address, or a header, or a cookie.`,
    anyOf: [
      text(),
      object({ text: text('A regular expression: its first group, else all of it.') }),
      object({ header: text('Its name.') }),
      object({ cookie: text('Its name.') }),
      object({ address: text('A regular expression for the address that answered.') }),
    ],
    ...expecting({
      code: 'any_of',
      params: { forms: ['MEMBER', '{text: REGEX}', '{header: NAME}', '{cookie: NAME}', '{address: REGEX}'] },
    }),
  })

const path = text('Below `url`, with names in braces: `/attempt?id={attempt}`; or a whole address.', {
  pattern: '^(/|https?://|\\{)',
})

const requestFields = {
  path,
  method: optional(choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], '`POST` with a body, else `GET`.')),
  json: optional(anything('Sent as JSON. Names in braces are filled in.')),
  form: optional(dictionary('Sent as a form. Names in braces are filled in.')),
  headers: optional(dictionary('More headers, by name. Cookies are kept by themselves.')),
  redirects: optional(whole('How many redirects it follows; 5 when absent.', { minimum: 0, maximum: 20 })),
  keep: optional(
    typed<Readonly<Record<string, Reading>>>(dictionary('Names for later calls, by where the answer has them.')),
  ),
}

/** A call to a server that is not ours, as a configuration describes it. */
export const call = <P extends Record<string, Schema>>(more: P) => object({ ...requestFields, ...more })

export const plainCall = call({})
export type HttpCall = ValueOf<typeof plainCall>

/** One call, or several in a row: the last one counts. */
export const callOrCalls = <C extends Schema>(one: C) =>
  typed<ValueOf<C> | readonly ValueOf<C>[]>({
    anyOf: [one, list(one, { minItems: 1 })],
    ...expecting({ code: 'any_of', params: { forms: ['{path, …}', '[{path, …}, …]'] } }),
  })
