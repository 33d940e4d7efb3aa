import { err, ok, type Result } from '../../core/protocol/result.ts'
import { CEREMONIES, type Ceremony, type LoadPlan } from '../../testing/load/load-plan.ts'
import { parseChoices } from '../option-values.ts'
import type { loadOptions, ParsedOptions } from '../options.ts'
import { type NameOption, parseDuration } from '../read-options.ts'

export const LOAD_REPORTS = ['html', 'json'] as const
export type LoadReportKind = (typeof LOAD_REPORTS)[number]

export type LoadSettings = {
  /** If `seed` is undefined, one is generated. */
  readonly plan: Omit<LoadPlan, 'seed'> & { readonly seed: number | undefined }
  readonly connections: number
  readonly reports: readonly LoadReportKind[]
  readonly out: string
}

export type LoadOptions = ParsedOptions<typeof loadOptions>

/** Each user with push needs a separate connection that stays open. */
const MAX_PUSH_USERS = 10_000
const MAX_RATE = 100_000

export const parseLoadSettings = (options: LoadOptions, named: NameOption): Result<LoadSettings, string> => {
  const { users, connections, seed, arrivals } = options
  const push = options.push === true
  if (push && users > MAX_PUSH_USERS)
    return err(
      `${named('users')} must be a whole number from 1 to ${MAX_PUSH_USERS} with ${named('push')}; got "${users}".`,
    )
  const rate = parseRate(options.rate, named('rate'))
  if (!rate.ok) return rate
  const duration = parseDuration(options.duration, named('duration'))
  if (!duration.ok) return duration
  const mix = parseMix(options.mix, named('mix'))
  if (!mix.ok) return mix
  if (arrivals !== 'poisson' && arrivals !== 'fixed') {
    return err(`${named('arrivals')} must be poisson or fixed; got "${arrivals}".`)
  }
  const reports = parseChoices(options.report, { known: LOAD_REPORTS, name: named('report') })
  if (!reports.ok) return reports
  if (push && mix.value.auth === 0) return err(`${named('push')} is for sign-ins, and ${named('mix')} has none.`)
  return ok({
    plan: { users, rate: rate.value, durationMs: duration.value, mix: mix.value, push, arrivals, seed },
    connections,
    reports: reports.value,
    out: options.out,
  })
}

const parseRate = (text: string, name: string): Result<number, string> => {
  const rate = Number(text)
  return /^\d+(\.\d+)?$/.test(text) && rate >= 0.01 && rate <= MAX_RATE
    ? ok(rate)
    : err(`${name} must be how many begin each second, from 0.01 to ${MAX_RATE}; got "${text}".`)
}

const parseMix = (text: string, name: string): Result<LoadPlan['mix'], string> => {
  const mix: Record<Ceremony, number> = { register: 0, auth: 0 }
  const seen = new Set<string>()
  for (const part of text.split(',')) {
    const [, key = '', weight = ''] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(part) ?? []
    const ceremony = CEREMONIES.find((each) => each === key)
    if (ceremony === undefined || seen.has(key) || Number(weight) > 1_000_000) return err(badMix(text, name))
    seen.add(key)
    mix[ceremony] = Number(weight)
  }
  return mix.register + mix.auth > 0 ? ok(mix) : err(badMix(text, name))
}

const badMix = (text: string, name: string): string =>
  `${name} must give ${CEREMONIES.join(' and ')} their parts, such as register=1,auth=9; got "${text}".`
