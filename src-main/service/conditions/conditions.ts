import { APP_OPERATIONS } from '../../contract/app/routes.ts'
import { errors } from '../../contract/errors.ts'
import { RP_OPERATIONS } from '../../contract/rp/routes.ts'
import type { SettingProblem } from '../../contract/setting-problem.ts'
import { isObject } from '../../protocol/json.ts'
import { err, ok, type Result } from '../../protocol/result.ts'

/** Faults of the service that a user sets, for each of its two interfaces. */
export type SideConditions = {
  /** Every answer waits this long, in real time. */
  readonly latency_ms: number
  /** The next n calls are refused with `fail_code` before anything happens. */
  readonly fail_next: number
  /** How many of a hundred calls are refused, drawn from the seed. */
  readonly fail_percent: number
  /** A code of the error table. */
  readonly fail_code: number
  /** The next n calls are carried out, and their answer is lost on the wire. */
  readonly lose_next: number
  readonly lose_percent: number
  /** Operations to which all this applies, e.g. `attestation.result`; empty: all. */
  readonly only: readonly string[]
}

export type Conditions = { readonly rp: SideConditions; readonly app: SideConditions }

export const normalSide: SideConditions = {
  latency_ms: 0,
  fail_next: 0,
  fail_percent: 0,
  fail_code: errors.fault_injected.code,
  lose_next: 0,
  lose_percent: 0,
  only: [],
}

export const normalConditions: Conditions = { rp: normalSide, app: normalSide }

const whole = (most: number) => ({
  wanted: `a whole number from 0 to ${most}`,
  fits: (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most,
})

const CODES: ReadonlySet<unknown> = new Set(Object.values(errors).map(({ code }) => code))

const OPERATIONS = {
  rp: RP_OPERATIONS,
  app: APP_OPERATIONS,
} as const satisfies Record<keyof Conditions, readonly string[]>

const RULES = {
  latency_ms: whole(600_000),
  fail_next: whole(1_000_000),
  fail_percent: whole(100),
  fail_code: { wanted: 'a code of the error table', fits: (value: unknown) => CODES.has(value) },
  lose_next: whole(1_000_000),
  lose_percent: whole(100),
  only: {
    wanted: 'a list of operations such as "attestation.result"',
    fits: (value: unknown) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
  },
} as const satisfies Record<keyof SideConditions, { wanted: string; fits: (value: unknown) => boolean }>

/** Conditions, or a part of one laid over `base`, validated as a whole. Every refusal names its key. */
export const parseConditions = (
  input: unknown,
  base: Conditions = normalConditions,
): Result<Conditions, SettingProblem> => {
  if (!isObject(input)) return err({ detail: 'Conditions are a JSON object with "rp" and "app".' })
  const stray = Object.keys(input).find((key) => key !== 'rp' && key !== 'app')
  if (stray !== undefined) return err(problemAt(stray, 'is unknown. Known are: rp, app.'))
  const rp = parseSide('rp', input.rp ?? {}, base.rp)
  if (!rp.ok) return rp
  const app = parseSide('app', input.app ?? {}, base.app)
  return app.ok ? ok({ rp: rp.value, app: app.value }) : app
}

const parseSide = (
  side: keyof Conditions,
  input: unknown,
  base: SideConditions,
): Result<SideConditions, SettingProblem> => {
  if (!isObject(input)) return err(problemAt(side, 'must be a JSON object.'))
  const known: readonly unknown[] = OPERATIONS[side]
  for (const [key, value] of Object.entries(input)) {
    const path = `${side}.${key}`
    if (!isRule(key)) return err(problemAt(path, `is unknown. Known are: ${Object.keys(RULES).join(', ')}.`))
    if (!RULES[key].fits(value)) {
      return err(problemAt(path, `must be ${RULES[key].wanted}; got ${JSON.stringify(value)}.`))
    }
    // A name that is misspelt would never be struck, and nobody would know why.
    const stranger = key === 'only' && Array.isArray(value) ? value.find((entry) => !known.includes(entry)) : undefined
    if (stranger !== undefined) {
      return err(problemAt(path, `has no operation ${JSON.stringify(stranger)}. Known are: ${known.join(', ')}.`))
    }
  }
  return ok({ ...base, ...input })
}

const problemAt = (key: string, what: string): SettingProblem => ({ key, detail: `Conditions key "${key}" ${what}` })

const isRule = (key: string): key is keyof SideConditions => Object.hasOwn(RULES, key)
