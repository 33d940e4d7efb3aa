import { openRecorder } from '../../src-main/bench/harness/open-recorder.ts'
import type { EventsPage } from '../../src-main/bench/harness/recorder.ts'
import type { EventDraft } from '../../src-main/core/contract/events.ts'
import type { LogLine } from '../../src-main/core/protocol/log.ts'

export const delivery = (msg_id: string): EventDraft => ({
  actor: { kind: 'service' },
  kind: 'delivery',
  msg_id,
  state: 'fail',
})

/** One with a body, as `n` of many that are alike. */
export const call = (n: number, body = ''): EventDraft => ({
  actor: { kind: 'rp', id: 'rp_1' },
  kind: 'exchange',
  interface: 'rp',
  request: {
    id: `req_${n}`,
    method: 'GET',
    target: `/result?msg_id=m${n}`,
    headers: [['Host', 'localhost']],
    body,
    body_bytes: body.length,
  },
  response: { status: 200, code: 0, headers: [], body: '{}' },
  took_us: 50,
})

export const seqs = (page: EventsPage) => page.events.map(({ seq }) => seq)

/** Real time that stands; what is to happen later happens when the test says. */
export const handWall = () => {
  const alarms = new Set<() => void>()
  return {
    now: () => 5,
    at: (_: number, alarm: () => void) => {
      const ring = (): void => void (alarms.delete(ring) && alarm())
      alarms.add(ring)
      return () => void alarms.delete(ring)
    },
    /** Until nothing is left to be done later. */
    pass: () => {
      for (let rounds = 0; alarms.size > 0 && rounds < 1000; rounds++) for (const ring of [...alarms]) ring()
    },
    /** What is due now, once. */
    passOnce: () => {
      for (const ring of [...alarms]) ring()
    },
  }
}

/** A recorder over `events.db` in a directory. */
export const recorderIn = (directory: string) => {
  const wall = handWall()
  const log: LogLine[] = []
  const opened = openRecorder({
    directory,
    wall,
    bench: () => ({ now: () => 9, at: () => () => undefined }),
    log: (line) => void log.push(line),
  })
  return { ...opened, wall, log }
}
