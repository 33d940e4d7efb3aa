import type { Coded, NoParams } from '../../protocol/coded.ts'
import type { FieldProblem } from '../errors.ts'
import type { PhoneTrouble } from '../phone-trouble.ts'

type Within = { readonly within_ms?: number }
type Came = { readonly came: readonly string[]; readonly more: number }

export type StepProblemParams = {
  readonly refused: { readonly code: number; readonly error: string } & Within
  readonly not_refused: { readonly code: number; readonly received?: StepProblem } & Within
  /** `at` is a JSON pointer into the answer; empty for all of it. */
  readonly differs: { readonly at: string; readonly expected: unknown; readonly received: unknown } & Within
  readonly no_event: { readonly match: unknown; readonly within_ms: number } & Came
  readonly no_push: { readonly within_ms: number } & Came
  readonly push_gone: NoParams
  readonly event_came: {
    readonly match: unknown
    readonly event: string
    readonly seq: number
    readonly within_ms: number
  }
  readonly event_count: { readonly match: unknown; readonly expected: unknown; readonly received: number } & Within &
    Came
  /** The first `found` of the expected events came in order; `match`, the next one, did not. */
  readonly event_order: { readonly match: unknown; readonly found: number } & Within & Came
  readonly screen_problem: PhoneTrouble

  readonly unknown_name: { readonly kind: NamedKind; readonly name: string; readonly known: readonly string[] }
  readonly no_value: { readonly reference: string; readonly known: readonly string[] }
  readonly nothing_at: { readonly pointer: string; readonly value: string }
  readonly nothing_matches: { readonly pointer: string; readonly matches: string; readonly value: string }
  readonly bad_regex: { readonly source: string; readonly error: string }
  readonly slow_regex: { readonly source: string }
  readonly bad_input: { readonly problem: FieldProblem }
  readonly which_credential: { readonly known: readonly string[] }

  readonly unreachable: { readonly url: string; readonly error: string } & Within
  readonly too_slow: { readonly url: string; readonly within_ms: number }
  readonly too_large: { readonly url: string; readonly most_bytes: number }
  readonly not_an_address: { readonly url: string }
  readonly too_many_redirects: { readonly url: string; readonly most: number }
  readonly no_program: { readonly program: string; readonly error: string }
  readonly program_ended: { readonly name: string; readonly ended: ProgramEnd; readonly output: string }
  readonly program_not_ready: {
    readonly name: string
    readonly ready: ReadySign
    readonly within_ms: number
    readonly output: string
    /** The result at the address where it should have been ready; a number is an HTTP status. */
    readonly seen?: number | 'nothing' | 'silence' | 'no_http'
  }
  /** Something else already answers at the program's address before it is started. */
  readonly address_taken: { readonly ready: ReadySign }
  readonly no_line: {
    readonly name: string
    readonly line: string
    readonly within_ms: number
    readonly output: string
  }
  readonly no_folder: { readonly path: string }
  readonly outside_folder: { readonly path: string }
  readonly no_playwright: { readonly folder: string }
  readonly no_browser: { readonly error?: string }
  readonly no_page: { readonly page: string }
  readonly page_differs: {
    readonly expected: ElementOnPage
    readonly url: string
    readonly text: string
    readonly within_ms: number
  }
  readonly no_code_on_page: { readonly url: string; readonly within_ms: number }
}

export type ReadySign = 'ended' | Readonly<Record<string, unknown>>

export type ProgramEnd = { readonly exit_code: number } | { readonly signal: string }

/** `several`: the page has more than one such element. */
export type ElementOnPage =
  | { readonly role: string; readonly name: string; readonly several: boolean }
  | { readonly field: string; readonly several: boolean }
  | { readonly text: unknown }
  | { readonly no_text: string }
  | { readonly address: unknown }

export type NamedKind = 'phone' | 'message' | 'rp' | 'snapshot' | 'mark' | 'program' | 'variable'

export type StepProblem = Coded<StepProblemParams>
