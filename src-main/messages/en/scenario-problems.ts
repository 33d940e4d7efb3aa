import type { NamedKind, StepProblem, StepProblemParams } from '../../contract/scenario/problems.ts'
import { nearest } from '../../protocol/nearest.ts'

export type ExpectedReceived = { readonly expected: string; readonly received: string }

type Texts = {
  readonly [Code in keyof StepProblemParams]: (
    params: StepProblemParams[Code],
  ) => readonly [expected: string, received: string]
}

const json = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
export const spanText = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`)
const within = (ms: number | undefined): string => (ms === undefined ? '' : ` within ${spanText(ms)}`)
const RUNNABLE = 'a step that can be carried out'

const cameText = ({ came, more }: { readonly came: readonly string[]; readonly more: number }): string => {
  const all = came.length + more
  return all === 0 ? 'no event at all' : `${all} other event${all === 1 ? '' : 's'}: ${came.join('; ')}`
}

const KINDS: Readonly<Record<NamedKind, string>> = {
  phone: 'phone',
  message: 'message',
  rp: 'RP',
  snapshot: 'snapshot',
  mark: 'mark',
  program: 'program',
  variable: 'variable',
}

/** What only a step makes. */
const BY_AS: ReadonlySet<NamedKind> = new Set(['message', 'snapshot', 'mark'])

const outputText = (output: string): string => (output === '' ? 'It wrote nothing.' : `It wrote:\n${output}`)

/** A name that the scenario does not have, with the one that was probably meant. */
export const unknownNameText = ({ kind, name, known }: StepProblemParams['unknown_name']): string => {
  if (name === '') return `there is no ${KINDS[kind]} yet.`
  const near = nearest(name, known)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  const absent = BY_AS.has(kind)
    ? `no earlier step names a ${KINDS[kind]} ${json(name)} with "as"`
    : `there is no ${KINDS[kind]} ${json(name)}`
  return `${absent}.${meant} Known are: ${known.join(', ') || 'none'}.`
}

/** What a step expected and what came, for a person. */
const scenarioProblems: Texts = {
  refused: ({ code, error, within_ms }) => [`success${within(within_ms)}`, code === 0 ? error : `${code} ${error}`],
  not_refused: ({ code, received, within_ms }) => [
    `refused with ${code}${within(within_ms)}`,
    received === undefined ? 'success' : problemTexts(received).received,
  ],
  differs: ({ at, expected, received, within_ms }) => [
    `${at === '' ? '' : `${at} is `}${json(expected)}${within(within_ms)}`,
    json(received),
  ],
  no_event: ({ match, within_ms, ...came }) => [`an event with ${json(match)}${within(within_ms)}`, cameText(came)],
  no_push: ({ within_ms, ...came }) => [`a push on this phone${within(within_ms)}`, cameText(came)],
  push_gone: () => ['a push on this phone', 'a push that is gone again'],
  event_came: ({ match, event, seq, within_ms }) => [
    `no event with ${json(match)}${within(within_ms)}`,
    `event ${seq}: ${event}`,
  ],
  event_count: ({ match, expected, received, within_ms, ...came }) => [
    `${json(expected)} events with ${json(match)}${within(within_ms)}`,
    `${received}, among ${cameText(came)}`,
  ],
  event_order: ({ match, found, within_ms, ...came }) => [
    `${found === 0 ? '' : `after ${found} in this order `}an event with ${json(match)}${within(within_ms)}`,
    cameText(came),
  ],
  screen_problem: ({ word, error }) => ['no problem on the screen', `${word}: ${error}`],

  unknown_name: (params) => [RUNNABLE, unknownNameText(params)],
  no_value: ({ reference, known }) => [RUNNABLE, unknownNameText({ kind: 'variable', name: reference, known })],
  nothing_at: ({ pointer, value }) => [`a value at ${pointer || 'the answer'} to save`, `none; the answer is ${value}`],
  nothing_matches: ({ pointer, matches, value }) => [
    `a part of ${pointer || 'the answer'} that matches ${matches}`,
    value,
  ],
  bad_regex: ({ source, error }) => ['a regular expression', `${source}: ${error}`],
  slow_regex: ({ source }) => ['a regular expression that ends', `${source} takes too long on this text`],
  bad_pattern: ({ error }) => ['a pattern', error],
  bad_input: ({ error }) => [RUNNABLE, error],
  which_credential: ({ known }) => [
    'credential_name, which says which one',
    `credentials: ${known.join(', ') || 'none'}`,
  ],

  unreachable: ({ url, error, within_ms }) => [`an answer from ${url}${within(within_ms)}`, error],
  too_slow: ({ what, within_ms }) => [`${what}${within(within_ms)}`, 'nothing by then'],
  too_large: ({ url, most_bytes }) => [`an answer of at most ${most_bytes} bytes from ${url}`, 'more'],
  not_an_address: ({ url }) => ['an address with http:// or https://', json(url)],
  too_many_redirects: ({ url, most }) => [`at most ${most} redirects`, `one more, to ${url}`],
  no_program: ({ program, error }) => [`${program} starts`, error],
  program_ended: ({ name, how, output }) => [`${name} runs`, `it ended ${how}. ${outputText(output)}`],
  program_not_ready: ({ name, ready, within_ms, output }) => [
    `${name}: ${ready}${within(within_ms)}`,
    outputText(output),
  ],
  no_line: ({ name, line, within_ms, output }) => [
    `a line of ${name} that matches ${line}${within(within_ms)}`,
    outputText(output),
  ],
  outside_folder: ({ path }) => ['a path below the scenario’s folder', path],
  no_playwright: ({ folder }) => [
    'Playwright, for steps with a browser',
    `none in ${folder} or above. Install it there: npm install --save-dev @playwright/test`,
  ],
  no_browser: ({ error }) => ['a browser that starts', error],
  no_page: ({ page }) => [`a page "${page}" that an earlier step opened`, 'none'],
  page_differs: ({ expected, url, text, within_ms }) => [`${expected}${within(within_ms)}`, `${url} shows: ${text}`],
  no_code_on_page: ({ url, within_ms }) => [`a QR code on the page${within(within_ms)}`, `none on ${url}`],
}

export const problemTexts = (problem: StepProblem): ExpectedReceived => {
  const texts = scenarioProblems[problem.code] as (params: unknown) => readonly [string, string]
  const [expected, received] = texts('params' in problem ? problem.params : {})
  return { expected, received }
}
