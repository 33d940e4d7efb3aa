import { expect, test } from 'vitest'
import type { EventDraft } from '../../src-main/contract/events.ts'
import { createRecorder } from '../../src-main/harness/recorder.ts'
import { heldMemory } from '../support/held-memory.ts'
import { delivery, seqs } from '../support/recorded-events.ts'

const still = (time: number) => ({ now: () => time, at: () => () => undefined })
const recorder = (events = 100, bytes = 1_000_000) =>
  createRecorder({ wall: still(5), bench: () => still(9), retention: { events, bytes } })

const poll = (n: number): EventDraft => ({
  actor: { kind: 'rp', id: 'rp_0123456789abcdef' },
  cause: 'req_0123456789abcdef',
  kind: 'exchange',
  interface: 'rp',
  request: {
    id: 'req_0123456789abcdef',
    method: 'GET',
    target: `/fido/rp/attestation/result?msg_id=m${n}`,
    route: '/fido/rp/attestation/result',
    headers: [
      ['Host', 'localhost:7420'],
      ['X-Svc-Date', '20260101T000000Z'],
      ['Authorization', `SVC-HMAC-SHA256 ak_0123456789abcdef/fido-server/,host;x-svc-date,${'0'.repeat(64)}`],
    ],
    body: '',
    body_bytes: 0,
  },
  response: {
    status: 200,
    code: 0,
    headers: [['Content-Type', 'application/json; charset=utf-8']],
    body: '{"code":0,"data":{"svc_user":"","status":"init","error":""},"error":""}',
  },
  took_us: 50,
  rp_id: 'rp_0123456789abcdef',
  msg_id: `m${n}`,
})

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
  const half = 'm'.repeat(150_000)
  const recorded = recorder(100, 512 * 1024)
  // One to a block, and two blocks are kept.
  for (let i = 0; i < 10; i++) recorded.observe('main', delivery(`${i}${half}`))
  expect(seqs(recorded.read('main'))).toEqual([9, 10])
  const tiny = recorder(100, 1)
  tiny.observe('main', delivery('m'))
  expect(seqs(tiny.read('main'))).toEqual([1])
})

test('what is asked for by kind and by a text in it is found, and nothing else', () => {
  const recorded = recorder()
  const push = (msg_id: string): EventDraft => ({
    actor: { kind: 'service' },
    kind: 'push',
    msg_id,
    device_id: 'd',
    stage: 'sent',
  })
  for (const msg_id of ['a', 'b "quoted" ü', 'ab']) {
    recorded.observe('main', delivery(msg_id))
    recorded.observe('main', push(msg_id))
  }
  expect(seqs(recorded.read('main', { kinds: ['push'] }))).toEqual([2, 4, 6])
  expect(seqs(recorded.read('main', { mentions: ['a'] }))).toEqual([1, 2])
  expect(seqs(recorded.read('main', { kinds: ['delivery'], mentions: ['b "quoted" ü', 'fail'] }))).toEqual([3])
  expect(seqs(recorded.read('main', { mentions: ['a'], matches: ({ kind }) => kind === 'push' }))).toEqual([2])
})

test('what was made of an event afterwards does not change what is remembered', () => {
  const recorded = recorder()
  const detail = { names: ['one'] }
  recorded.observe('main', { actor: { kind: 'control' }, kind: 'setting', subject: 'user', change: 'made', detail })
  detail.names.push('two')
  expect(recorded.read('main').events).toMatchObject([{ detail: { names: ['one'] } }])
})

test('a hundred thousand exchanges are kept, in less than 25 MiB', () => {
  const recorded = createRecorder({ wall: still(5), bench: () => still(9) })
  const before = heldMemory()
  for (let i = 0; i < 100_000; i++) recorded.observe('main', poll(i))
  const held = heldMemory() - before
  expect(recorded.read('main', { limit: 1 }).events).toMatchObject([{ seq: 1, msg_id: 'm0' }])
  expect(recorded.read('main', { mentions: ['m77777'] }).events).toMatchObject([{ seq: 77_778 }])
  expect(held / 2 ** 20).toBeLessThan(25)
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

test('a page of large events ends early and says that there is more, so that reading goes on after it', () => {
  const { observe, read } = recorder(100, 10_000_000)
  for (let n = 0; n < 5; n++) observe('main', delivery('x'.repeat(100_000)))
  const first = read('main', { characters: 150_000 })
  expect([seqs(first), first.more]).toEqual([[1, 2], true])
  expect(seqs(read('main', { after: 2, characters: 1 }))).toEqual([3])
  expect(seqs(read('main', { latest: true, characters: 150_000 }))).toEqual([4, 5])
  expect(read('main', { after: 3, characters: 10_000_000 })).toMatchObject({ more: false })
})
