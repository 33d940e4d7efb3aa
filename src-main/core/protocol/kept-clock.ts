import { CLOCK_END, type Millis } from './time.ts'

/** A stored clock: it showed `now` at the real time `real` and ran on from there; without `real` it is stopped. */
export type KeptClock = { readonly now: Millis; readonly speed: number; readonly real?: Millis }

/** The clock's reading at this real time, even if no bench was running. */
export const shownAt = ({ now, real, speed }: KeptClock, time: Millis): Millis =>
  real === undefined ? now : Math.max(0, Math.min(CLOCK_END, Math.floor(now + (time - real) * speed)))

/** After a move from a machine whose time was ahead, it continues from here: else a fast clock would be years back. */
export const fromNowOn = (kept: KeptClock, time: Millis): KeptClock =>
  kept.real === undefined || kept.real <= time ? kept : { ...kept, real: time }

/** Such a clock need not be stored: every workspace begins with it. */
export const followsReal = ({ now, real, speed }: KeptClock): boolean => now === real && speed === 1

/** How fast a clock may run: in the words of JSON Schema, for the contract has them too. */
export const CLOCK_SPEED = { minimum: 0.001, maximum: 100_000 } as const
