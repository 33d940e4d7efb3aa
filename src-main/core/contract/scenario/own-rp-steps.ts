import {
  anything,
  choice,
  constant,
  dictionary,
  expecting,
  flag,
  list,
  object,
  optional,
  refined,
  text,
  typed,
  whole,
} from '../schema.ts'
import { limit, name, textPattern, until } from './parts.ts'

const words = list(text())
const texts = (description: string) =>
  typed<Readonly<Record<string, string | number | boolean>>>(dictionary(description))

const page = optional(name('Which page; each has cookies of its own. `page` when absent.'))
const role = optional(text('Its ARIA role: button when absent.'))
const exact = optional(flag('Whether the name must be exactly this.'))

const actions = {
  open: object({ open: text('The address.'), page, until }),
  press: object({ press: text('Its accessible name.'), role, exact, page, until }),
  fill: object({ fill: text('The field’s label.'), with: text(), exact, page, until }),
  scan: object({ scan: text('The phone that reads the code from the page’s pixels.'), page, until }),
  expect: object({ expect: textPattern, role, page, until }),
  expect_no: object({ expect_no: text('A text that the page does not show.'), page, within: optional(limit) }),
  expect_url: object({ expect_url: textPattern, page, until }),
}

type ActionOf<K extends keyof typeof actions> = import('../schema.ts').ValueOf<(typeof actions)[K]>
export type BrowserAction = { [K in keyof typeof actions]: ActionOf<K> }[keyof typeof actions]

export const BROWSER_ACTIONS = Object.keys(actions) as readonly (keyof typeof actions)[]

export const ownRpSteps = {
  http: refined(
    object({
      url: text('An address with http:// or https://.'),
      method: optional(
        choice(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, or POST with a body.'),
      ),
      headers: optional(texts('By name.')),
      json: optional(anything('Sent as JSON.')),
      form: optional(texts('Sent as a form.')),
      body: optional(text('Sent as it is.')),
      redirects: optional(whole('How many redirects it follows; none when absent.', { minimum: 0, maximum: 20 })),
      timeout: optional(limit),
      until,
    }),
    ({ json, form, body }) => [json, form, body].filter((one) => one !== undefined).length < 2,
    { code: 'any_of', params: { forms: ['{url, json}', '{url, form}', '{url, body}'] } },
  ),
  exec: object({
    program: text('A command on the path, or a file below the scenario’s folder.'),
    args: optional(words),
    env: optional(texts('Beside the variables of this program.')),
    cwd: optional(text('Below the scenario’s folder, which it is when absent.')),
    ready: optional(
      typed<{ readonly url: string } | { readonly port: number } | { readonly line: string } | 'ended'>({
        anyOf: [
          object({ url: text('Answers.') }),
          object({ port: whole('Accepts connections.', { minimum: 1, maximum: 65_535 }) }),
          object({ line: text('A regular expression that a line of its output matches.') }),
          constant('ended', 'It has ended with exit code 0.'),
        ],
        ...expecting({ code: 'any_of', params: { forms: ['{url: URL}', '{port: PORT}', '{line: REGEX}', 'ended'] } }),
      }),
    ),
    as: optional(name('A name for later steps; `program` when absent.')),
    until,
  }),
  expect_output: object({
    line: text('A regular expression that a line of its output matches.'),
    program: optional(text('`program` when absent.')),
    until,
  }),
  end_program: object({ program: optional(text('`program` when absent.')) }),
  free_port: object({ as: name('The variable for a port that nobody listens on.') }),
  browser: typed<BrowserAction>({
    anyOf: Object.values(actions),
    ...expecting({ code: 'any_of', params: { forms: BROWSER_ACTIONS.map((action) => `{${action}: …}`) } }),
  }),
  check: object({ value: anything('Usually a variable.'), is: anything('A value or a pattern.') }),
}
