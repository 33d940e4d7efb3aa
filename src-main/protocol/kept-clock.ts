import { type FieldProblem, unknownMember, within } from './field-problem.ts'
import { err, ok, type Result } from './result.ts'
import { CLOCK_END, type Millis } from './time.ts'

/** A clock as it is kept: it showed `now` at the real time `real` and ran on from there; without `real` it stands. */
export type KeptClock = { readonly now: Millis; readonly speed: number; readonly real?: Millis }

/** What the clock shows when it is this late in reality, whether anybody ran it meanwhile or not. */
export const shownAt = ({ now, real, speed }: KeptClock, time: Millis): Millis =>
  real === undefined ? now : Math.max(0, Math.min(CLOCK_END, Math.floor(now + (time - real) * speed)))

/** Kept by a machine that was ahead of this one, it goes on from here: else a fast clock would be years back. */
export const fromNowOn = (kept: KeptClock, time: Millis): KeptClock =>
  kept.real === undefined || kept.real <= time ? kept : { ...kept, real: time }

/** Such a clock needs no keeping: it is what everybody begins with. */
export const followsReal = ({ now, real, speed }: KeptClock): boolean => now === real && speed === 1

/** How fast a clock may run: in the words of JSON Schema, for the contract has them too. */
export const CLOCK_SPEED = { minimum: 0.001, maximum: 100_000 } as const

/** Whatever a file holds: out of the store, or from a document that somebody made. */
export const parseKeptClock = (value: unknown): Result<KeptClock, FieldProblem> => {
  const bad = (member: string, text: string): Result<never, FieldProblem> => err({ field: `clock${member}`, text })
  if (typeof value !== 'object' || value === null) return bad('', 'Expected an object.')
  const { now, real, speed } = value as Readonly<Record<string, unknown>>
  if (!isTime(now)) return bad('.now', A_TIME)
  const { minimum, maximum } = CLOCK_SPEED
  if (!isWithin(speed, minimum, maximum)) return bad('.speed', `Expected a number from ${minimum} to ${maximum}.`)
  const stranger = unknownMember(value as Readonly<Record<string, unknown>>, ['now', 'speed', 'real'])
  if (stranger !== undefined) return err(within('clock', stranger))
  if (real === undefined) return ok({ now, speed })
  return isTime(real) ? ok({ now, speed, real }) : bad('.real', A_TIME)
}

const A_TIME = 'Expected a time from 1970 to 9999, in whole milliseconds.'

const isTime = (value: unknown): value is Millis => isWithin(value, 0, CLOCK_END) && Number.isInteger(value)

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most
