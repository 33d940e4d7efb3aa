import type { CheckReport } from './check-report.ts'
import type { Profile } from './profile.ts'

export type Recording = CheckReport & { readonly profile: Profile; readonly measured: Partial<Profile> }

/**
 * `code`: in the envelope, or the machine word of an error. `status`: of HTTP. `header`: its name or value. `shape`: a
 * field that is absent or of another type. `words`: a text. `value`: any other value of a field. `time`: how far away a
 * moment is, or how long an answer takes. `calls`: how many exchanges the case has.
 */
export const DIFFERENCE_KINDS = ['code', 'status', 'header', 'shape', 'words', 'value', 'time', 'calls'] as const
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number]

export type Difference = {
  readonly kind: DifferenceKind
  /** The operation, or the code of the sentence; empty when it belongs to neither. */
  readonly where: string
  readonly field: string
  readonly theirs: string
  readonly ours: string
  readonly cases: readonly string[]
  readonly removed_by?: string
}

export type ParityReport = {
  readonly handset: string
  readonly base_url: string
  readonly compared: number
  /** Cases that were recorded and cannot be compared, such as those that wait for an expiry. */
  readonly left_out: number
  readonly differences: readonly Difference[]
  /** Settings that make the bench behave like the service, where they differ from the defaults. */
  readonly profile: Partial<Profile>
  /** A body for `PATCH /control/v1/conditions`. */
  readonly conditions: Readonly<Partial<Record<'rp' | 'app', { readonly latency_ms: number }>>>
}
