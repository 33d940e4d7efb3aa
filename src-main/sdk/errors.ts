import type { ControlPhone } from '../core/contract/control/states.ts'
import { isObject, parseJsonOrNothing } from '../core/protocol/json.ts'

type Problem<Code> = { readonly code: Code; readonly error: string; readonly data?: unknown }

/** An error of this package, with a stable code. */
export class HandsetError<Code extends number | string = number | string> extends Error {
  override readonly name: string = 'HandsetError'
  readonly code: Code
  readonly data: unknown

  constructor(what: Problem<Code>) {
    super(what.error)
    this.code = what.code
    this.data = what.data
  }
}

/** Meanings of the errors that do not come from the bench, a phone or a result. */
export const SDK_ERRORS = {
  unreachable: 'Nothing answers at the address of the bench.',
  no_answer: 'The bench did not answer in time.',
  no_bench: 'What answers at the address is no bench.',
  version_mismatch: 'The bench speaks another version of the control interface.',
  no_such_rp: 'The workspace has no RP of that id or RP ID.',
  no_token: '`HANDSET_CONTROL_URL` is set, and neither `HANDSET_TOKEN` nor `HANDSET_TOKEN_FILE`.',
  unreadable_file: 'The file that `HANDSET_TOKEN_FILE` or `HANDSET_CA` names is not there, is empty or cannot be read.',
  wrong_ca: '`ca`, or the file that `HANDSET_CA` names, is not a list of certificates in PEM.',
} as const

/** An error that has no class of its own. docs/using/sdk.md lists all its codes. */
export const sdkError = (code: keyof typeof SDK_ERRORS, error: string): HandsetError =>
  new HandsetError({ code, error })

/** The program did not start; the code is its exit code, or `timeout`. */
export class StartError extends HandsetError {
  override readonly name = 'StartError'
  /** The end of the program's output on stderr. */
  readonly output: string

  constructor(what: Problem<number | 'timeout'> & { readonly output: string }) {
    super(what)
    this.output = what.output
  }
}

export type EventSummary = { readonly seq: number; readonly kind: string; readonly text: string }

/** An event was not received in time. */
export class WaitError extends HandsetError<number> {
  override readonly name = 'WaitError'
  /** The latest events received instead. */
  readonly came: readonly EventSummary[]

  constructor(what: Problem<number> & { readonly came: readonly EventSummary[] }) {
    super(what)
    this.came = what.came
  }
}

/** A phone could not do something, or its answer was not accepted. The code is like `no_code`. */
export class PhoneError extends HandsetError<string> {
  override readonly name = 'PhoneError'
  /** The phone's screen, if the first step succeeded. */
  readonly came: ControlPhone['screen'] | undefined

  constructor(what: Problem<string> & { readonly came?: ControlPhone['screen'] }) {
    super(what)
    this.came = what.came
  }
}

/** Undefined if the text is from another server or was cut off. */
export const parseEnvelope = (text: string): Required<Problem<number>> | undefined => {
  const value = parseJsonOrNothing(text)
  if (!isObject(value) || !('data' in value)) return undefined
  const { code, error, data } = value
  return Number.isSafeInteger(code) && typeof error === 'string' ? { code: Number(code), error, data } : undefined
}
