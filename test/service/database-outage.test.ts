import { expect, test } from 'vitest'
import type { LogLine } from '../../src-main/protocol/log.ts'
import { createDatabaseOutage } from '../../src-main/service/store/postgres/outage.ts'

const SHOWN = 'db.example:5432/handset (schema handset)'
const reason = new Error('connect ECONNREFUSED 10.0.0.7:5432')

const outageAt = () => {
  const lines: LogLine[] = []
  const clock = { now: 0 }
  const outage = createDatabaseOutage(
    (line) => lines.push(line),
    SHOWN,
    () => clock.now,
  )
  return { outage, lines, clock, fail: () => outage.failed(outage.begin(), reason) }
}

const stopped = { level: 'error', event: 'database does not answer', database: SHOWN, error: reason.message }
const back = (away_ms: number) => ({ level: 'warn', event: 'database answers again', database: SHOWN, away_ms })

test('[serve.log] a database that stops answering is one line, however many ask it, and one when it is back', () => {
  const { outage, lines, clock, fail } = outageAt()
  outage.answered()
  for (let n = 0; n < 100; n++) fail()
  expect(lines).toEqual([stopped])
  clock.now = 7_000
  for (let n = 0; n < 100; n++) outage.answered()
  expect(lines).toEqual([stopped, back(7_000)])
})

test('[serve.log] a question that fails while others are answered is no outage', () => {
  const { outage, lines } = outageAt()
  const begun = outage.begin()
  outage.answered()
  outage.failed(begun, reason)
  expect(lines).toEqual([])
})

test('[serve.log] a database that comes and goes is told of once in 10 s', () => {
  const { outage, lines, clock, fail } = outageAt()
  for (clock.now = 0; clock.now < 20_000; clock.now += 100) {
    fail()
    outage.answered()
  }
  expect(lines).toEqual([stopped, back(0), stopped, back(0)])
})
