import type { Coded, NoParams } from '../protocol/coded.ts'

export type LinkProblemParams = {
  readonly link_too_long: { readonly length: number; readonly longest: number }
  readonly link_unreadable: NoParams
  readonly link_unknown: { readonly action: string; readonly known: readonly string[] }
  readonly link_parameters_unreadable: NoParams
  readonly link_parameter_twice: { readonly name: string }
  readonly link_parameter_unknown: { readonly action: string; readonly name: string }
  readonly link_parameter_missing: { readonly action: string; readonly name: string }
  readonly link_without_code: NoParams
  readonly link_to_no_place: NoParams
  readonly link_of_other_bench: { readonly origin: string; readonly own: string }
  readonly link_id_unfit: { readonly name: string }
  readonly link_not_alone: NoParams
  readonly file_elsewhere: { readonly path: string }
  readonly file_not_plain: { readonly path: string }
  readonly file_too_large: { readonly path: string; readonly bytes: number; readonly largest: number }
  readonly file_unreadable: { readonly path: string; readonly reason: string }
  readonly file_not_taken: { readonly name: string }
  readonly hand_over_of_other_version: NoParams
}

export type LinkProblem = Coded<LinkProblemParams>
