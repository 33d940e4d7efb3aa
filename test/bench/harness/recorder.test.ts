import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createRecorder } from '../../../src-main/bench/harness/recorder.ts'
import { startTraceFiles } from '../../../src-main/bench/harness/trace-files.ts'
import type { EventDraft } from '../../../src-main/core/contract/events.ts'
import type { LogLine } from '../../../src-main/core/protocol/log.ts'
import { heldMemory } from '../../support/held-memory.ts'
import { readTrace } from '../../support/read-trace.ts'
import { delivery, seqs } from '../../support/recorded-events.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const still = (time: number) => ({ now: () => time, at: () => () => undefined })
const recorder = (count = 100, bytes = 1_000_000) =>
  createRecorder({ wall: still(5), bench: () => still(9), retention: { count, bytes } })

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
  const hear = () => undefined
  for (const workspace of ['a', 'b']) recorded.listen(workspace, hear, () => told.push(workspace))
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

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const setting = (path = folder, bytes = 1024 * 1024) => {
  let due: (() => void) | undefined
  const log: LogLine[] = []
  const real = {
    now: () => 1_000_000,
    at: (_: number, work: () => void) => {
      due = work
      return () => {
        due = undefined
      }
    },
  }
  const recorder = createRecorder({ wall: real, bench: () => real })
  const follower = startTraceFiles({
    ...{ path, bytes, version: '1', real, recorder },
    log: (line) => void log.push(line),
  })
  const say = (workspace: string, text: string) =>
    recorder.observe(workspace, {
      ...{ kind: 'setting', subject: 'rp', change: 'changed', detail: { text } },
      actor: { kind: 'control' },
    })
  const step = () => {
    const work = due
    due = undefined
    work?.()
  }
  return { recorder, follower, log, say, step }
}

const open = async (name: string, path = join(folder, name)) => {
  const trace = await readTrace(new Blob([readFileSync(path)]).stream())
  if (!trace.ok) throw new Error(trace.error.code)
  return trace.value
}

test('each workspace has a file, which opens while the bench runs and has the events in their order', async () => {
  const { say, step } = setting()
  for (let i = 0; i < 700; i++) say('main', `m${i}`)
  say('other', 'o')
  while (readdirSync(folder).length < 2) step()
  step()
  const main = await open('main.handset')
  expect(main.header).toMatchObject({ live: true, workspace: 'main', title: '' })
  expect(main.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 700 }, (_, i) => i + 1))
  expect((await open('other.handset')).events).toHaveLength(1)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'main.handset')).mode & 0o077).toBe(0)
})

test('nothing is written within the call that records, and the last events of a workspace come before it is closed', async () => {
  const { recorder, say } = setting()
  say('w', 'last')
  expect(readdirSync(folder)).toEqual([])
  recorder.forget('w')
  expect((await open('w.handset')).events).toHaveLength(1)
})

test('a file of the workspace main leaves the others out, and keeps the one of the start before', async () => {
  const path = join(folder, 'a.handset')
  const first = setting(path)
  first.say('main', 'first')
  first.say('other', 'x')
  first.follower.close()
  const second = setting(path)
  second.say('main', 'second')
  second.follower.close()
  expect(readdirSync(folder).sort()).toEqual(['a.before.handset', 'a.handset'])
  expect(JSON.stringify((await open('a.before.handset')).events)).toContain('first')
  expect(JSON.stringify((await open('a.handset')).events)).toContain('second')
})

test('all files together stay below the limit; the latest events are kept', async () => {
  const limit = 64 * 1024
  const { say, follower } = setting(folder, limit)
  for (let i = 0; i < 600; i++) {
    say(`w${i % 3}`, `${i}`.padEnd(900))
    follower.flush()
    if (i % 50 > 0) continue
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(limit)
  }
  expect((await open('w2.handset')).events.at(-1)).toMatchObject({ seq: 200 })
})

test('a file that is removed or moved while the bench runs is begun again, and opens', async () => {
  const { say, follower } = setting()
  say('main', 'before')
  follower.flush()
  rmSync(join(folder, 'main.handset'))
  say('main', 'after')
  follower.flush()
  const { events } = await open('main.handset')
  expect(events.map((event) => JSON.stringify(event).includes('after'))).toEqual([true])
})

test('a folder that can no longer be written ends the writing with one line in the log, and not the bench', () => {
  const { say, follower, log } = setting(join(folder, 'gone'))
  for (const text of ['a', 'b']) {
    say('main', text)
    follower.flush()
  }
  expect(log).toMatchObject([{ level: 'error', event: 'traces not written' }])
})
