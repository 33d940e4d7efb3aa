import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAlarmHeap } from '../../src-main/harness/alarm-heap.ts'

test('alarms come out by time, equal ones as they were set, cancelled ones never', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ time: fc.nat(20), cancel: fc.boolean() }), { maxLength: 3000 }), (wanted) => {
      const heap = createAlarmHeap()
      const alarms = wanted.map(({ time }) => heap.add(time, () => undefined))
      for (const [i, { cancel }] of wanted.entries()) if (cancel && alarms[i] !== undefined) heap.cancel(alarms[i])
      const taken: number[] = []
      for (let alarm = heap.take(); alarm !== undefined; alarm = heap.take()) taken.push(alarm.order)
      const expected = wanted
        .map(({ time, cancel }, order) => ({ time, cancel, order }))
        .filter(({ cancel }) => !cancel)
        .sort((a, b) => a.time - b.time || a.order - b.order)
        .map(({ order }) => order)
      expect(taken).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})
