import type { ClockState } from '../core/contract/control/states.ts'
import type { Body, ControlClient } from './client.ts'

/** A workspace's clock: it governs expiry, stored times and delayed actions of phones. */
export type WorkspaceClock = {
  state(): Promise<ClockState>
  /** Stops it, at this time or the current one. */
  freeze(at?: Date): Promise<ClockState>
  set(now: Date): Promise<ClockState>
  /** Moves it forward; everything that is due on the way happens in its order. */
  advance(ms: number): Promise<ClockState>
  /** Just past the next expiry of a message. */
  toNextExpiry(): Promise<ClockState>
  /** Workspace seconds for each real second; it runs from then on. */
  run(speed?: number): Promise<ClockState>
  /** Back to real time. */
  reset(): Promise<ClockState>
}

export const clockOf = (client: ControlClient): WorkspaceClock => {
  const put = (body: Body<'clock.put'>): Promise<ClockState> => client.call('clock.put', { body })
  return {
    state: () => client.call('clock.get'),
    freeze: (at) => put({ frozen: true, ...(at === undefined ? {} : { now: at.getTime() }) }),
    set: (now) => put({ now: now.getTime() }),
    advance: (ms) => client.call('clock.advance', { body: { ms } }),
    toNextExpiry: () => client.call('clock.advance', { body: { to: 'next-expiry' } }),
    run: (speed = 1) => put({ frozen: false, speed }),
    reset: () => put({ real: true }),
  }
}
