import * as t from '../schema.ts'
import { limit, shortName, textPattern, until } from './parts.ts'

const words = t.list(t.text())
const texts = (description: string) =>
  t.typed<Readonly<Record<string, string | number | boolean>>>(t.dictionary(description))

const page = t.optional(shortName('Which page; each has cookies of its own. `page` when absent.'))
const role = t.optional(t.text('Its ARIA role: button when absent.'))
const exact = t.optional(t.flag('Whether the name must be exactly this.'))

const actions = {
  open: t.object({ open: t.text('The address.'), page, until }),
  press: t.object({ press: t.text('Its accessible name.'), role, exact, page, until }),
  fill: t.object({ fill: t.text('The field’s label.'), with: t.text(), exact, page, until }),
  scan: t.object({ scan: t.text('The phone that reads the code from the page’s pixels.'), page, until }),
  expect: t.object({ expect: textPattern, role, page, until }),
  expect_no: t.object({ expect_no: t.text('A text that the page does not show.'), page, within: t.optional(limit) }),
  expect_url: t.object({ expect_url: textPattern, page, until }),
}

export const BROWSER_ACTIONS = Object.keys(actions) as readonly (keyof typeof actions)[]

const action = t.oneForm(
  BROWSER_ACTIONS.map((name) => `{${name}: …}`),
  Object.values(actions),
)

export type BrowserAction = t.ValueOf<typeof action>

export const ownRpSteps = {
  http: t.refined(
    t.object({
      url: t.text('An address with http:// or https://.'),
      method: t.optional(
        t.choice(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'GET, or POST with a body.'),
      ),
      headers: t.optional(texts('By name.')),
      json: t.optional(t.anything('Sent as JSON.')),
      form: t.optional(texts('Sent as a form.')),
      body: t.optional(t.text('Sent as it is.')),
      redirects: t.optional(t.whole('How many redirects it follows; none when absent.', { minimum: 0, maximum: 20 })),
      timeout: t.optional(limit),
      until,
    }),
    ({ json, form, body }) => [json, form, body].filter((one) => one !== undefined).length < 2,
    { code: 'any_of', params: { forms: ['{url, json}', '{url, form}', '{url, body}'] } },
  ),
  exec: t.object({
    program: t.text('A command on the path, or a file below the scenario’s folder.'),
    args: t.optional(words),
    env: t.optional(texts('Beside the variables of this program.')),
    cwd: t.optional(t.text('Below the scenario’s folder, which it is when absent.')),
    ready: t.optional(
      t.oneForm(
        ['{url: URL}', '{port: PORT}', '{line: REGEX}', 'ended'],
        [
          t.object({ url: t.text('Answers.') }),
          t.object({ port: t.whole('Accepts connections.', { minimum: 1, maximum: 65_535 }) }),
          t.object({ line: t.text('A regular expression that a line of its output matches.') }),
          t.constant('ended', 'It has ended with exit code 0.'),
        ],
      ),
    ),
    as: t.optional(shortName('A name for later steps; `program` when absent.')),
    until,
  }),
  expect_output: t.object({
    line: t.text('A regular expression that a line of its output matches.'),
    program: t.optional(t.text('`program` when absent.')),
    until,
  }),
  end_program: t.object({ program: t.optional(t.text('`program` when absent.')) }),
  free_port: t.object({ as: shortName('The variable for a port that nobody listens on.') }),
  browser: action,
  check: t.object({ value: t.anything('Usually a variable.'), is: t.anything('A value or a pattern.') }),
}
