import type { Coded, Nothing } from '../protocol/coded.ts'

type Got = { readonly got: string }

/** Parts of a request or a key that HTTP or the header’s form cannot carry. The secret is never repeated. */
export type SigningProblemParams = {
  readonly secret_key: Nothing
  readonly access_key_id: Got
  /** In the short form it may have commas. */
  readonly scope_identifier: Got & { readonly commas: boolean }
  readonly host: Got
  readonly method: Got
  readonly target: Got
  readonly query: Got
  readonly header_name: Got
  readonly header_value: Got & { readonly name: string }
}

export type SigningProblem = Coded<SigningProblemParams>

/** Problems found by an RP client: why there is no usable answer, or why its signature was refused. */
export type RpClientProblemParams = {
  readonly not_signable: { readonly problem: SigningProblem }
  readonly not_unicode: { readonly name: string; readonly got: string }
  /** `why` is the system's own word. */
  readonly not_answered: { readonly host: string; readonly why: string }
  readonly answer_late: { readonly host: string; readonly ms: number }
  readonly answer_too_large: { readonly host: string; readonly bytes: number }
  readonly answer_no_envelope: { readonly status: number }
  readonly answer_unfit: { readonly field: string; readonly expected: string; readonly got: string }
  readonly signed_otherwise: {
    readonly part: SignedPart
    /** Of the part `header`. */
    readonly header?: string
    /** Absent where that side has no such line. */
    readonly signed?: string
    readonly computed?: string
  }
  /** Both sides have the same canonical request: the secret key or the scope is another. */
  readonly signed_alike: Nothing
}

export type SignedPart = 'method' | 'path' | 'query' | 'header' | 'signed_headers' | 'body_hash'

export type RpClientProblem = Coded<RpClientProblemParams>
