import { CEREMONIES, type Ceremony, type LoadPlan } from '../../testing/load/load-plan.ts'
import { misuse } from '../command-end.ts'
import { parseChoices } from '../option-values.ts'
import type { OptionsOf } from '../options.ts'
import { type NameOption, parseDuration } from '../read-options.ts'

const LOAD_REPORTS = ['html', 'json'] as const

export type LoadSettings = {
  /** If `seed` is undefined, one is generated. */
  readonly plan: Omit<LoadPlan, 'seed'> & { readonly seed: number | undefined }
  readonly connections: number
  readonly reports: readonly (typeof LOAD_REPORTS)[number][]
  readonly out: string
}

export type LoadOptions = OptionsOf<'load'>

/** Each user with push needs a separate connection that stays open. */
const MAX_PUSH_USERS = 10_000
const MAX_RATE = 100_000

export const parseLoadSettings = (options: LoadOptions, named: NameOption): LoadSettings => {
  const { users, connections, seed, arrivals } = options
  const push = options.push === true
  if (push && users > MAX_PUSH_USERS)
    misuse(
      `${named('users')} must be a whole number from 1 to ${MAX_PUSH_USERS} with ${named('push')}; got "${users}".`,
    )
  const rate = parseRate(options.rate, named('rate'))
  const durationMs = parseDuration(options.duration, named('duration'))
  const mix = parseMix(options.mix, named('mix'))
  if (arrivals !== 'poisson' && arrivals !== 'fixed')
    return misuse(`${named('arrivals')} must be poisson or fixed; got "${arrivals}".`)
  const reports = parseChoices(options.report, { known: LOAD_REPORTS, name: named('report') })
  if (push && mix.auth === 0) misuse(`${named('push')} is for sign-ins, and ${named('mix')} has none.`)
  return { plan: { users, rate, durationMs, mix, push, arrivals, seed }, connections, reports, out: options.out }
}

const parseRate = (text: string, name: string): number => {
  const rate = Number(text)
  return /^\d+(\.\d+)?$/.test(text) && rate >= 0.01 && rate <= MAX_RATE
    ? rate
    : misuse(`${name} must be how many begin each second, from 0.01 to ${MAX_RATE}; got "${text}".`)
}

const parseMix = (text: string, name: string): LoadPlan['mix'] => {
  const mix: Record<Ceremony, number> = { register: 0, auth: 0 }
  const refuse = () =>
    misuse(`${name} must give ${CEREMONIES.join(' and ')} their parts, such as register=1,auth=9; got "${text}".`)
  const seen = new Set<string>()
  for (const part of text.split(',')) {
    const [, key = '', weight = ''] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(part) ?? []
    const ceremony = CEREMONIES.find((each) => each === key)
    if (ceremony === undefined || seen.has(key) || Number(weight) > 1_000_000) return refuse()
    seen.add(key)
    mix[ceremony] = Number(weight)
  }
  return mix.register + mix.auth > 0 ? mix : refuse()
}
