import type { Coded, Nothing } from '../../protocol/coded.ts'

type Within = { readonly within_ms?: number }
type Came = { readonly came: readonly string[]; readonly more: number }

/** Why a step of a scenario failed: what it expected and what came, as data. */
export type StepProblemParams = {
  /** The service, a phone or the control interface refused. */
  readonly refused: { readonly code: number; readonly error: string } & Within
  readonly not_refused: { readonly code: number; readonly received?: StepProblem } & Within
  /** `at` is a JSON pointer into the answer; empty for all of it. */
  readonly differs: { readonly at: string; readonly expected: unknown; readonly received: unknown } & Within
  readonly no_event: { readonly match: unknown; readonly within_ms: number } & Came
  readonly no_push: { readonly within_ms: number } & Came
  readonly push_gone: Nothing
  readonly event_came: {
    readonly match: unknown
    readonly event: string
    readonly seq: number
    readonly within_ms: number
  }
  readonly event_count: { readonly match: unknown; readonly expected: unknown; readonly received: number } & Within &
    Came
  /** `found` of the events came, in this order; then not `match`. */
  readonly event_order: { readonly match: unknown; readonly found: number } & Within & Came
  readonly screen_problem: { readonly word: string; readonly error: string }

  // The scenario asks for what does not exist.
  readonly unknown_name: { readonly kind: NamedKind; readonly name: string; readonly known: readonly string[] }
  readonly no_value: { readonly reference: string; readonly known: readonly string[] }
  readonly nothing_at: { readonly pointer: string; readonly value: string }
  readonly nothing_matches: { readonly pointer: string; readonly matches: string; readonly value: string }
  readonly bad_regex: { readonly source: string; readonly error: string }
  readonly slow_regex: { readonly source: string }
  readonly bad_pattern: { readonly error: string }
  readonly bad_input: { readonly error: string }
  readonly which_credential: { readonly known: readonly string[] }

  // A relying party of one's own.
  readonly unreachable: { readonly url: string; readonly error: string } & Within
  readonly too_slow: { readonly what: string; readonly within_ms: number }
  readonly too_large: { readonly url: string; readonly most_bytes: number }
  readonly not_an_address: { readonly url: string }
  readonly too_many_redirects: { readonly url: string; readonly most: number }
  readonly no_program: { readonly program: string; readonly error: string }
  readonly program_ended: { readonly name: string; readonly how: string; readonly output: string }
  readonly program_not_ready: {
    readonly name: string
    readonly ready: string
    readonly within_ms: number
    readonly output: string
  }
  readonly no_line: {
    readonly name: string
    readonly line: string
    readonly within_ms: number
    readonly output: string
  }
  readonly outside_folder: { readonly path: string }
  readonly no_playwright: { readonly folder: string }
  readonly no_browser: { readonly error: string }
  readonly no_page: { readonly page: string }
  readonly page_differs: {
    readonly expected: string
    readonly url: string
    readonly text: string
    readonly within_ms: number
  }
  readonly no_code_on_page: { readonly url: string; readonly within_ms: number }
}

export type NamedKind = 'phone' | 'message' | 'rp' | 'snapshot' | 'mark' | 'program' | 'variable'

export type StepProblem = Coded<StepProblemParams>
