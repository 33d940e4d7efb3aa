import { DAY_MS } from '../protocol/clock.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { type CredentialStorage, isCredentialStorage } from './phone-state.ts'

export const ANSWERS = ['ask', 'approve', 'reject', 'ignore'] as const

/** How a phone answers what it is asked. Plain JSON; `ask` leaves it to the person. */
export type Behaviour = {
  readonly answer: (typeof ANSWERS)[number]
  /** Approve or reject so much later, by the workspace's clock. */
  readonly delay_ms?: number
  /** The finger is not recognised so many times, and then it is. */
  readonly fingerprint_failures?: number
  /** What is sent with a rejection. */
  readonly reason?: string
  /** Where new credentials go, instead of the phone's own choice. */
  readonly storage?: CredentialStorage
}

export const ASK: Behaviour = { answer: 'ask' }

type Check = (value: unknown) => string | undefined

const wholeUpTo =
  (max: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max
      ? undefined
      : `a whole number from 0 to ${max}`

const MEMBERS = {
  answer: (value) => (ANSWERS.some((answer) => answer === value) ? undefined : `one of ${ANSWERS.join(', ')}`),
  delay_ms: wholeUpTo(DAY_MS),
  fingerprint_failures: wholeUpTo(100),
  reason: (value) =>
    typeof value === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(value) ? undefined : 'a word of a-z, 0-9 and _',
  storage: (value) => (isCredentialStorage(value) ? undefined : 'chip or cloud'),
} as const satisfies Record<keyof Behaviour, Check>

const checks: Readonly<Record<string, Check>> = MEMBERS

/** A behaviour as an object, or its answer alone as a word. */
export const parseBehaviour = (input: unknown): Result<Behaviour, string> => {
  if (typeof input === 'string') return parseBehaviour({ answer: input })
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return err('A behaviour is a JSON object.')
  if (!('answer' in input)) return err(`"answer" must be one of ${ANSWERS.join(', ')}.`)
  for (const [key, value] of Object.entries(input)) {
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined
    if (check === undefined) return err(`Unknown key "${key}". Known are: ${Object.keys(checks).join(', ')}.`)
    const wanted = check(value)
    if (wanted !== undefined) return err(`"${key}" must be ${wanted}.`)
  }
  return ok(input as Behaviour)
}
