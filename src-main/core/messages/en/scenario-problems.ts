import type {
  ElementOnPage,
  NamedKind,
  ProgramEnd,
  ReadySign,
  StepProblem,
  StepProblemParams,
} from '../../contract/scenario/problems.ts'
import { findNearest } from '../../protocol/nearest.ts'
import { phoneText } from '../messages.ts'
import { textOf } from '../text.ts'
import { en } from './en.ts'
import { reasons } from './reasons.ts'

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

/** Things that only a step names, with `as`. */
const BY_AS: ReadonlySet<NamedKind> = new Set(['message', 'snapshot', 'mark'])

type Seen = StepProblemParams['program_not_ready']['seen']

const SEEN: Readonly<Record<Exclude<Seen, number | undefined>, string>> = {
  nothing: 'nothing answers there. ',
  silence: 'a connection without an answer. ',
  no_http: 'an answer that is not HTTP. ',
}

const seenText = (seen: Seen): string =>
  seen === undefined ? '' : typeof seen === 'number' ? `HTTP ${seen}. ` : SEEN[seen]

const outputText = (output: string): string => (output === '' ? 'It wrote nothing.' : `It wrote:\n${output}`)

export const endText = (ended: ProgramEnd): string =>
  'exit_code' in ended ? `with exit code ${ended.exit_code}` : `by ${ended.signal}`

const readyText = (ready: ReadySign): string =>
  ready === 'ended'
    ? 'it ends'
    : Object.entries(ready)
        .map(([sign, value]) => `${sign} ${value}`)
        .join()

const onPageText = (wanted: ElementOnPage): string => {
  if ('text' in wanted) return `${typeof wanted.text === 'string' ? 'the text' : 'a text that is'} ${json(wanted.text)}`
  if ('no_text' in wanted) return `no text ${json(wanted.no_text)}`
  if ('address' in wanted) return `the address ${json(wanted.address)}`
  const one = 'role' in wanted ? `${wanted.role} "${wanted.name}"` : `field "${wanted.field}"`
  return wanted.several ? `exactly one ${one}` : `a ${one}`
}

/** With the name that was probably meant. */
export const unknownNameText = ({ kind, name, known }: StepProblemParams['unknown_name']): string => {
  if (name === '') return `there is no ${KINDS[kind]} yet.`
  const near = findNearest(name, known)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  const absent = BY_AS.has(kind)
    ? `no earlier step names a ${KINDS[kind]} ${json(name)} with "as"`
    : `there is no ${KINDS[kind]} ${json(name)}`
  return `${absent}.${meant} Known are: ${known.join(', ') || 'none'}.`
}

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
  screen_problem: (trouble) => ['no problem on the screen', `${trouble.word}: ${phoneText(en, trouble)}`],

  unknown_name: (params) => [RUNNABLE, unknownNameText(params)],
  no_value: ({ reference, known }) => [RUNNABLE, unknownNameText({ kind: 'variable', name: reference, known })],
  nothing_at: ({ pointer, value }) => [`a value at ${pointer || 'the answer'} to save`, `none; the answer is ${value}`],
  nothing_matches: ({ pointer, matches, value }) => [
    `a part of ${pointer || 'the answer'} that matches ${matches}`,
    value,
  ],
  bad_regex: ({ source, error }) => ['a regular expression', `${source}: ${error}`],
  slow_regex: ({ source }) => ['a regular expression that ends', `${source} takes too long on this text`],
  bad_input: ({ problem }) => [RUNNABLE, textOf(reasons, problem)],
  which_credential: ({ known }) => [
    'credential_name, which says which one',
    `credentials: ${known.join(', ') || 'none'}`,
  ],

  unreachable: ({ url, error, within_ms }) => [`an answer from ${url}${within(within_ms)}`, error],
  too_slow: ({ url, within_ms }) => [`an answer from ${url}${within(within_ms)}`, 'nothing by then'],
  too_large: ({ url, most_bytes }) => [`an answer of at most ${most_bytes} bytes from ${url}`, 'more'],
  not_an_address: ({ url }) => ['an address with http:// or https://', json(url)],
  too_many_redirects: ({ url, most }) => [`at most ${most} redirects`, `one more, to ${url}`],
  no_program: ({ program, error }) => [`${program} starts`, error],
  program_ended: ({ name, ended, output }) => [`${name} runs`, `it ended ${endText(ended)}. ${outputText(output)}`],
  program_not_ready: ({ name, ready, within_ms, seen, output }) => [
    `${name}: ${readyText(ready)}${within(within_ms)}`,
    `${seenText(seen)}${outputText(output)}`,
  ],
  address_taken: ({ ready }) => [
    `nothing at ${readyText(ready)} before the program starts`,
    'another program, which is ready there. End that one, or take a port from free_port.',
  ],
  no_line: ({ name, line, within_ms, output }) => [
    `a line of ${name} that matches ${line}${within(within_ms)}`,
    outputText(output),
  ],
  no_folder: ({ path }) => [`a folder ${path}`, 'none'],
  outside_folder: ({ path }) => ['a path below the scenario’s folder', path],
  no_playwright: ({ folder }) => [
    'Playwright, for steps with a browser',
    `none in ${folder} or above. Install it there: npm install --save-dev @playwright/test`,
  ],
  no_browser: ({ error = 'none was found.' }) => ['a browser that starts', `${error} HANDSET_BROWSER names one.`],
  no_page: ({ page }) => [`a page "${page}" that an earlier step opened`, 'none'],
  page_differs: ({ expected, url, text, within_ms }) => [
    `${onPageText(expected)}${within(within_ms)}`,
    `${url} shows: ${text}`,
  ],
  no_code_on_page: ({ url, within_ms }) => [`a QR code on the page${within(within_ms)}`, `none on ${url}`],
}

export const problemTexts = (problem: StepProblem): ExpectedReceived => {
  const texts = scenarioProblems[problem.code] as (params: unknown) => readonly [string, string]
  const [expected, received] = texts('params' in problem ? problem.params : {})
  return { expected, received }
}
