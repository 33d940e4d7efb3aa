import { expect, test } from 'vitest'
import { createRecorder } from '../../src-main/harness/recorder.ts'
import type { EventDraft } from '../../src-main/protocol/exchange-event.ts'

const still = (time: number) => ({ now: () => time, at: () => () => undefined })
const recorder = (events = 100, bytes = 1_000_000) =>
  createRecorder({ wall: still(5), bench: () => still(9), retention: { events, bytes } })

const delivery = (msg_id: string): EventDraft => ({
  actor: { kind: 'service' },
  kind: 'delivery',
  msg_id,
  state: 'fail',
})
const seqs = (page: { readonly events: readonly { readonly seq: number }[] }) => page.events.map(({ seq }) => seq)

test('an event gets its number, its workspace and both times', () => {
  const recorded = recorder()
  recorded.observe('main', delivery('m'))
  expect(recorded.read('main').events).toEqual([
    { v: 1, seq: 1, workspace: 'main', wall: 5, bench: 9, ...delivery('m') },
  ])
})

test('every workspace counts for itself', () => {
  const recorded = recorder()
  recorded.observe('main', delivery('m'))
  recorded.observe('other', delivery('m'))
  expect([recorded.lastSeq('main'), recorded.lastSeq('other'), recorded.lastSeq('empty')]).toEqual([1, 1, 0])
})

test('pages begin after a number and say when the limit left some out', () => {
  const recorded = recorder()
  for (let i = 0; i < 5; i++) recorded.observe('main', delivery(`m${i}`))
  expect(seqs(recorded.read('main', { after: 2 }))).toEqual([3, 4, 5])
  expect(recorded.read('main', { limit: 2 })).toMatchObject({ first_seq: 1, last_seq: 5, more: true })
  expect(seqs(recorded.read('main', { limit: 2, latest: true }))).toEqual([4, 5])
  expect(seqs(recorded.read('main', { matches: (event) => event.seq % 2 === 0 }))).toEqual([2, 4])
  expect(recorded.read('main', { after: 99 }).events).toEqual([])
})

test('the oldest are forgotten by count, and numbers go on', () => {
  const recorded = recorder(3)
  for (let i = 0; i < 10; i++) recorded.observe('main', delivery('m'))
  expect(seqs(recorded.read('main'))).toEqual([8, 9, 10])
  expect(seqs(recorded.read('main', { after: 2 }))).toEqual([8, 9, 10])
  expect(seqs(recorded.read('main', { after: 9 }))).toEqual([10])
})

test('the oldest are forgotten by size, but never the latest', () => {
  const recorded = recorder(100, 2500)
  for (let i = 0; i < 10; i++) recorded.observe('main', delivery('m'))
  expect(seqs(recorded.read('main'))).toEqual([9, 10])
  const tiny = recorder(100, 1)
  tiny.observe('main', delivery('m'))
  expect(seqs(tiny.read('main'))).toEqual([1])
})

test('listeners hear what comes after them, until they stop', () => {
  const recorded = recorder()
  const heard: number[] = []
  recorded.observe('main', delivery('before'))
  const stop = recorded.listen('main', (event) => heard.push(event.seq))
  recorded.observe('main', delivery('a'))
  recorded.observe('other', delivery('elsewhere'))
  stop()
  recorded.observe('main', delivery('b'))
  expect(heard).toEqual([2])
})

test('listeners are told when the workspace is forgotten', () => {
  const recorded = recorder()
  const told: string[] = []
  recorded.listen(
    'a',
    () => undefined,
    () => told.push('a'),
  )
  recorded.listen(
    'b',
    () => undefined,
    () => told.push('b'),
  )
  recorded.observe('a', delivery('m'))
  recorded.forget('a')
  expect(told).toEqual(['a'])
  expect(recorded.lastSeq('a')).toBe(0)
})
