import type { RecordedExchange } from './recorded-answers.ts'

/** Another service in the place of the one of this process. */
export type ForwardSettings = {
  /** Its base_url and app_url, without a slash at the end. */
  readonly baseUrl?: string
  readonly appUrl?: string
  /** Trusted beside the usual roots, PEM. */
  readonly ca?: string
  readonly patienceMs: number
  /** What these answer is not passed on. */
  readonly recorded?: readonly RecordedExchange[]
  /** Whether an access key was given, by which signatures can be judged. */
  readonly keyed: boolean
}
