import type { Millis } from '../../core/protocol/time.ts'

export type Alarm = { readonly time: Millis; readonly order: number; ring: (() => void) | undefined }

/** Alarms by time, those of one moment in the order in which they were set. */
export type AlarmHeap = {
  add(time: Millis, ring: () => void): Alarm
  cancel(alarm: Alarm): void
  /** The earliest alarm that was not cancelled. */
  first(): Alarm | undefined
  take(): Alarm | undefined
  clear(): void
}

export const createAlarmHeap = (): AlarmHeap => {
  let heap: Alarm[] = []
  let made = 0
  let cancelled = 0

  const swap = (i: number, j: number): void => {
    const a = heap[i]
    const b = heap[j]
    if (a !== undefined && b !== undefined) [heap[i], heap[j]] = [b, a]
  }
  const before = (i: number, j: number): boolean => {
    const a = heap[i]
    const b = heap[j]
    return a !== undefined && b !== undefined && (a.time < b.time || (a.time === b.time && a.order < b.order))
  }
  const rise = (from: number): void => {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1
      if (!before(i, parent)) return
      swap(i, parent)
      i = parent
    }
  }
  const sink = (from: number): void => {
    for (let i = from; ; ) {
      const left = 2 * i + 1
      const child = before(left + 1, left) ? left + 1 : left
      if (!before(child, i)) return
      swap(child, i)
      i = child
    }
  }
  const removeFirst = (): Alarm | undefined => {
    const top = heap[0]
    const last = heap.pop()
    if (last !== undefined && last !== top) {
      heap[0] = last
      sink(0)
    }
    return top
  }
  const first = (): Alarm | undefined => {
    while (heap[0] !== undefined && heap[0].ring === undefined) {
      removeFirst()
      cancelled--
    }
    return heap[0]
  }

  return {
    add: (time, ring) => {
      const alarm: Alarm = { time, order: made++, ring }
      heap.push(alarm)
      rise(heap.length - 1)
      return alarm
    },
    cancel: (alarm) => {
      if (alarm.ring === undefined) return
      alarm.ring = undefined
      // Most alarms of a busy service are cancelled: without this they would stay until their time.
      if (++cancelled < 1024 || cancelled * 2 < heap.length) return
      heap = heap.filter((kept) => kept.ring !== undefined)
      heap.sort((a, b) => a.time - b.time || a.order - b.order)
      cancelled = 0
    },
    first,
    take: () => (first() === undefined ? undefined : removeFirst()),
    clear: () => {
      heap = []
      cancelled = 0
    },
  }
}
