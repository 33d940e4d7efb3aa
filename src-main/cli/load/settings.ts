import { CEREMONIES, type Ceremony } from '../../testing/load/load-plan.ts'
import { misuse } from '../command-end.ts'
import { parseChoices } from '../option-values.ts'
import type { OptionsOf } from '../options.ts'
import { type NameOption, parseDuration } from '../read-options.ts'

/** Each user with push needs a separate connection that stays open. */
const MAX_PUSH_USERS = 10_000
const MAX_RATE = 100_000

export type LoadSettings = ReturnType<typeof parseLoadSettings>

export const parseLoadSettings = (options: OptionsOf<'load'>, named: NameOption) => {
  const { users, connections, seed } = options
  const push = options.push === true
  if (push && users > MAX_PUSH_USERS)
    misuse(
      `${named('users')} must be a whole number from 1 to ${MAX_PUSH_USERS} with ${named('push')}; got "${users}".`,
    )
  const rate = parseRate(options.rate, named('rate'))
  const durationMs = parseDuration(options.duration, named('duration'))
  const mix = parseMix(options.mix, named('mix'))
  const arrivals = (['poisson', 'fixed'] as const).find((kind) => kind === options.arrivals)
  if (arrivals === undefined) return misuse(`${named('arrivals')} must be poisson or fixed; got "${options.arrivals}".`)
  const reports = parseChoices(options.report, { known: ['html', 'json'], name: named('report') })
  if (push && mix.auth === 0) misuse(`${named('push')} is for sign-ins, and ${named('mix')} has none.`)
  // If `seed` is undefined, one is drawn.
  return { plan: { users, rate, durationMs, mix, push, arrivals, seed }, connections, reports, out: options.out }
}

const parseRate = (text: string, name: string): number => {
  const rate = Number(text)
  return /^\d+(\.\d+)?$/.test(text) && rate >= 0.01 && rate <= MAX_RATE
    ? rate
    : misuse(`${name} must be how many begin each second, from 0.01 to ${MAX_RATE}; got "${text}".`)
}

const parseMix = (text: string, name: string): Readonly<Record<Ceremony, number>> => {
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
