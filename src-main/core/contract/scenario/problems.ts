import { type AnyCoded, type Coded, type ParamsOf, textOf } from '../../protocol/coded.ts'
import { didYouMean } from '../../protocol/nearest.ts'
import { phoneProblems, reasons } from '../../protocol/reasons.ts'
import { errorTexts, type FieldProblem } from '../errors.ts'
import { failures } from '../judge/failure-words.ts'
import { type PhoneTrouble, phoneText } from '../phone-trouble.ts'

type Within = { readonly within_ms?: number }
type Came = { readonly came: readonly string[]; readonly more: number }
/** `within_ms`: how long the step waited. */
type Waited = { readonly within_ms: number }
type OfUrl = { readonly url: string }
type Known = { readonly known: readonly string[] }
type OfFile = { readonly path: string }

export type ReadySign = 'ended' | Readonly<Record<string, unknown>>

export type ProgramEnd = { readonly exit_code: number } | { readonly signal: string }

/** `several`: the page has more than one such element. */
export type ElementOnPage =
  | { readonly role: string; readonly name: string; readonly several: boolean }
  | { readonly field: string; readonly several: boolean }
  | { readonly text: unknown }
  | { readonly no_text: string }
  | { readonly address: unknown }

/** Things with a name in a scenario, in English. */
const namedKinds = {
  phone: 'phone',
  message: 'message',
  rp: 'RP',
  snapshot: 'snapshot',
  mark: 'mark',
  program: 'program',
  variable: 'variable',
}

export type NamedKind = keyof typeof namedKinds

/** Things that only a step names, with `as`. */
const BY_AS: ReadonlySet<NamedKind> = new Set(['message', 'snapshot', 'mark'])

type UnknownName = Known & { readonly kind: NamedKind; readonly name: string }

/** Suggests the name that was probably meant. */
export const unknownNameText = ({ kind, name, known }: UnknownName): string => {
  if (name === '') return `there is no ${namedKinds[kind]} yet.`
  const absent = BY_AS.has(kind)
    ? `no earlier step names a ${namedKinds[kind]} ${JSON.stringify(name)} with "as"`
    : `there is no ${namedKinds[kind]} ${JSON.stringify(name)}`
  return `${absent}.${didYouMean(name, known)} Known are: ${known.join(', ') || 'none'}.`
}

export const englishPhoneText = (trouble: PhoneTrouble): string =>
  phoneText({ phoneProblems, failures, errors: errorTexts, reasons }, trouble)

const json = (value: unknown): string => JSON.stringify(value) ?? 'nothing'
const spanText = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`)
const within = (ms: number | undefined): string => (ms === undefined ? '' : ` within ${spanText(ms)}`)
const RUNNABLE = 'a step that can be carried out'

const cameText = ({ came, more }: Came): string => {
  const all = came.length + more
  return all === 0 ? 'no event at all' : `${all} other event${all === 1 ? '' : 's'}: ${came.join('; ')}`
}

/** The answer at the address where a program should have been ready, in English. */
const seenWords = {
  nothing: 'nothing answers there. ',
  silence: 'a connection without an answer. ',
  no_http: 'an answer that is not HTTP. ',
}

/** A number is an HTTP status. */
type Seen = number | keyof typeof seenWords

const seenText = (seen?: Seen): string =>
  seen === undefined ? '' : typeof seen === 'number' ? `HTTP ${seen}. ` : seenWords[seen]

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

type Pair = readonly [expected: string, received: string]

/** What a step expected and received, in English. */
const stepProblems = {
  refused: ({ code, error, within_ms }: Within & { code: number; error: string }) => [
    `success${within(within_ms)}`,
    code === 0 ? error : `${code} ${error}`,
  ],
  not_refused: ({ code, received, within_ms }: Within & { code: number; received?: AnyCoded }): Pair => [
    `refused with ${code}${within(within_ms)}`,
    received === undefined ? 'success' : problemTexts(received).received,
  ],
  /** `at` is a JSON pointer into the answer; empty for all of it. */
  differs: ({ at, expected, received, within_ms }: Within & { at: string; expected: unknown; received: unknown }) => [
    `${at === '' ? '' : `${at} is `}${json(expected)}${within(within_ms)}`,
    json(received),
  ],
  no_event: ({ match, within_ms, ...came }: Came & Waited & { match: unknown }) => [
    `an event with ${json(match)}${within(within_ms)}`,
    cameText(came),
  ],
  no_push: ({ within_ms, ...came }: Came & Waited) => [`a push on this phone${within(within_ms)}`, cameText(came)],
  push_gone: () => ['a push on this phone', 'a push that is gone again'],
  event_came: ({ match, event, seq, within_ms }: Waited & { match: unknown; event: string; seq: number }) => [
    `no event with ${json(match)}${within(within_ms)}`,
    `event ${seq}: ${event}`,
  ],
  event_count: (found: Within & Came & { match: unknown; expected: unknown; received: number }) => [
    `${json(found.expected)} events with ${json(found.match)}${within(found.within_ms)}`,
    `${found.received}, among ${cameText(found)}`,
  ],
  /** The first `found` of the expected events came in order; `match`, the next one, did not. */
  event_order: ({ match, found, within_ms, ...came }: Within & Came & { match: unknown; found: number }) => [
    `${found === 0 ? '' : `after ${found} in this order `}an event with ${json(match)}${within(within_ms)}`,
    cameText(came),
  ],
  screen_problem: (trouble: PhoneTrouble) => [
    'no problem on the screen',
    `${trouble.word}: ${englishPhoneText(trouble)}`,
  ],

  unknown_name: (params: UnknownName) => [RUNNABLE, unknownNameText(params)],
  no_value: ({ reference, known }: Known & { reference: string }) => [
    RUNNABLE,
    unknownNameText({ kind: 'variable', name: reference, known }),
  ],
  nothing_at: ({ pointer, value }: { pointer: string; value: string }) => [
    `a value at ${pointer || 'the answer'} to save`,
    `none; the answer is ${value}`,
  ],
  nothing_matches: ({ pointer, matches, value }: { pointer: string; matches: string; value: string }) => [
    `a part of ${pointer || 'the answer'} that matches ${matches}`,
    value,
  ],
  bad_regex: ({ source, error }: { source: string; error: string }) => ['a regular expression', `${source}: ${error}`],
  slow_regex: ({ source }: { source: string }) => [
    'a regular expression that ends',
    `${source} takes too long on this text`,
  ],
  bad_input: ({ problem }: { problem: FieldProblem }) => [RUNNABLE, textOf(reasons, problem)],
  which_credential: ({ known }: Known) => [
    'credential_name, which says which one',
    `credentials: ${known.join(', ') || 'none'}`,
  ],

  unreachable: ({ url, error, within_ms }: OfUrl & Within & { error: string }) => [
    `an answer from ${url}${within(within_ms)}`,
    error,
  ],
  too_slow: ({ url, within_ms }: OfUrl & Waited) => [`an answer from ${url}${within(within_ms)}`, 'nothing by then'],
  too_large: ({ url, most_bytes }: OfUrl & { most_bytes: number }) => [
    `an answer of at most ${most_bytes} bytes from ${url}`,
    'more',
  ],
  not_an_address: ({ url }: OfUrl) => ['an address with http:// or https://', json(url)],
  too_many_redirects: ({ url, most }: OfUrl & { most: number }) => [`at most ${most} redirects`, `one more, to ${url}`],
  no_program: ({ program, error }: { program: string; error: string }) => [`${program} starts`, error],
  program_ended: ({ name, ended, output }: { name: string; ended: ProgramEnd; output: string }) => [
    `${name} runs`,
    `it ended ${endText(ended)}. ${outputText(output)}`,
  ],
  program_not_ready: (program: Waited & { name: string; ready: ReadySign; output: string; seen?: Seen }) => [
    `${program.name}: ${readyText(program.ready)}${within(program.within_ms)}`,
    `${seenText(program.seen)}${outputText(program.output)}`,
  ],
  /** Something else already answers at the program's address before it is started. */
  address_taken: ({ ready }: { ready: ReadySign }) => [
    `nothing at ${readyText(ready)} before the program starts`,
    'another program, which is ready there. End that one, or take a port from free_port.',
  ],
  no_line: ({ name, line, within_ms, output }: Waited & { name: string; line: string; output: string }) => [
    `a line of ${name} that matches ${line}${within(within_ms)}`,
    outputText(output),
  ],
  no_folder: ({ path }: OfFile) => [`a folder ${path}`, 'none'],
  outside_folder: ({ path }: OfFile) => ['a path below the scenario’s folder', path],
  no_playwright: ({ folder }: { folder: string }) => [
    'Playwright, for steps with a browser',
    `none in ${folder} or above. Install it there: npm install --save-dev @playwright/test`,
  ],
  no_browser: ({ error = 'none was found.' }: { error?: string }) => [
    'a browser that starts',
    `${error} HANDSET_BROWSER names one.`,
  ],
  no_page: ({ page }: { page: string }) => [`a page "${page}" that an earlier step opened`, 'none'],
  page_differs: ({ expected, url, text, within_ms }: OfUrl & Waited & { expected: ElementOnPage; text: string }) => [
    `${onPageText(expected)}${within(within_ms)}`,
    `${url} shows: ${text}`,
  ],
  no_code_on_page: ({ url, within_ms }: OfUrl & Waited) => [
    `a QR code on the page${within(within_ms)}`,
    `none on ${url}`,
  ],
} satisfies Readonly<Record<string, (params: never) => Pair>>

export type StepProblemParams = ParamsOf<typeof stepProblems>

export type StepProblem = Coded<StepProblemParams>

/** Takes a StepProblem. Its type is wider, because `stepProblems` calls this function and would refer to itself. */
export const problemTexts = ({ code, params }: AnyCoded): { readonly expected: string; readonly received: string } => {
  const texts = stepProblems[code as keyof typeof stepProblems] as (params: unknown) => Pair
  const [expected, received] = texts(params)
  return { expected, received }
}
