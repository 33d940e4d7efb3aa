import { describe, expect, it } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { foldTimeline } from '../../src-main/timeline/fold-timeline.ts'
import { shortPath } from '../../src-main/timeline/route-name.ts'
import { newTimeline } from '../../src-main/timeline/timeline.ts'
import { call, move, record, registration } from './fixture.ts'

const timelineOf = (events: readonly BenchEvent[]) => events.reduce(foldTimeline, newTimeline())

const MSG = 'BBBBBBBBBBBBBBBBBBBBBB'

describe('a registration', () => {
  const { groups } = timelineOf(record(registration()))
  const group = groups.at(0)

  it('is one group, with its polls folded between the calls that changed something', () => {
    expect(groups).toHaveLength(1)
    expect(group?.rows.map(({ method, path, seqs }) => `${method} ${path} ×${seqs.length}`)).toEqual([
      'POST attestation/options ×1',
      'GET attestation/result ×2',
      'POST bind ×1',
      'GET attestation/result ×1',
      'POST attestation ×1',
      'GET attestation/result ×1',
    ])
  })

  it('carries the state of the message down the ribbon, which ends where the result was read', () => {
    expect(group?.rows.map(({ before, after, moved }) => [before, after, moved])).toEqual([
      [undefined, 'init', 'init'],
      ['init', 'init', undefined],
      ['init', 'bind', 'bind'],
      ['bind', 'bind', undefined],
      ['bind', 'success', 'success'],
      ['success', undefined, undefined],
    ])
  })

  it('knows what became of it, who answered and that the RP has read it', () => {
    expect(group?.message).toMatchObject({
      ceremony: 'registration',
      username: 'alice',
      state: 'success',
      svcUser: 'Alice (138****5678)',
      delivered: true,
    })
    expect((group?.message?.endedWall ?? 0) - (group?.message?.startedWall ?? 0)).toBe(5874)
  })

  it('leads the lanes from RP and phone to the service', () => {
    expect(group?.rows.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'rp service',
      'rp service',
      'phone service',
      'rp service',
      'phone service',
      'rp service',
    ])
  })
})

const poll = (id: string, more: object = {}) =>
  call({ id, line: `GET /fido/rp/assertion/result?msg_id=${MSG}`, ...more })

const signIn = () =>
  [
    [0, move({ msgId: MSG, to: 'init', cause: 'req_1', method: 'qrcode' })],
    [1, call({ id: 'req_1', line: 'POST /fido/rp/assertion/options' })],
  ] as const

describe('polls', () => {
  it('fold into one row that keeps its place and remembers each of them', () => {
    const { groups } = timelineOf(
      record([...signIn(), [500, poll('req_2')], [1000, poll('req_3')], [1500, poll('req_4')]]),
    )
    const row = groups.at(0)?.rows.at(1)
    expect(row?.id).toBe(3)
    expect([...(row?.seqs ?? [])]).toEqual([3, 4, 5])
    expect(row?.wall).toBe(record([[500, poll('req_2')]])[0]?.wall)
  })

  it('do not fold when they were answered differently', () => {
    const { groups } = timelineOf(
      record([...signIn(), [500, poll('req_2')], [1000, poll('req_3', { code: 50301, status: 503 })]]),
    )
    expect(groups.at(0)?.rows).toHaveLength(3)
  })
})

describe('a message whose time runs out', () => {
  it('gets a row of its own, since no call brought it about', () => {
    const { groups } = timelineOf(record([...signIn(), [180_000, move({ msgId: MSG, from: 'init', to: 'timeout' })]]))
    expect(groups.at(0)?.rows.at(-1)).toMatchObject({
      kind: 'moment',
      before: 'init',
      after: 'timeout',
      moved: 'timeout',
    })
    expect(groups.at(0)?.message?.state).toBe('timeout')
  })
})

describe('a push', () => {
  const push = (stage: 'queued' | 'sent') => ({ kind: 'push', msg_id: MSG, device_id: 'dev_alice', stage }) as const

  it('that leaves at once is one row from the service to the phone', () => {
    const { groups } = timelineOf(record([...signIn(), [2, push('queued')], [3, push('sent')]]))
    const pushes = [...(groups.at(0)?.rows ?? [])].filter(({ kind }) => kind === 'push')
    expect(pushes).toMatchObject([{ from: 'service', to: 'phone', route: 'push sent' }])
  })

  it('that a call set off is drawn after that call, though it is known before', () => {
    const [made, asked] = signIn()
    const queued = { ...push('queued'), cause: 'req_1' }
    const { groups } = timelineOf(record([made, [1, queued], [2, push('sent')], asked]))
    expect(groups.at(0)?.rows.map(({ route }) => route)).toEqual(['POST rp/assertion/options', 'push sent'])
  })

  it('that has to wait is two', () => {
    const { groups } = timelineOf(record([...signIn(), [2, push('queued')], [500, poll('req_2')], [900, push('sent')]]))
    const pushes = [...(groups.at(0)?.rows ?? [])].filter(({ kind }) => kind === 'push')
    expect(pushes.map(({ route }) => route)).toEqual(['push queued', 'push sent'])
  })
})

describe('calls outside any request', () => {
  it('stand together until a request begins', () => {
    const list = (id: string) => call({ id, line: 'GET /fido/rp/credentials?user_id=alice' })
    const later = signIn().map(([at, draft]) => [at + 100, draft] as const)
    const { groups } = timelineOf(record([[0, list('req_8')], [50, list('req_9')], ...later, [900, list('req_10')]]))
    expect(groups.map(({ message, rows }) => [message?.msgId, rows.length])).toEqual([
      [undefined, 2],
      [MSG, 1],
      [undefined, 1],
    ])
  })

  it('keep a phone’s vault calls with the request that the phone is answering', () => {
    const bind = [10, move({ msgId: MSG, from: 'init', to: 'bind', cause: 'req_2' })] as const
    const bound = [11, call({ id: 'req_2', line: `POST /app/messages/${MSG}/bind`, device: 'dev_alice' })] as const
    const vault = call({ id: 'req_3', line: 'PUT /app/vault/abcdefghijkl', device: 'dev_alice' })
    const { groups } = timelineOf(record([...signIn(), bind, bound, [20, vault]]))
    expect(groups).toHaveLength(1)
    expect(groups.at(0)?.rows.at(-1)?.path).toBe('vault/abcdefgh…')
  })
})

describe('a path', () => {
  it.each([
    ['/fido/rp/attestation/result?msg_id=x', 'attestation/result'],
    ['/w/job-3/fido/rp/credentials', 'credentials'],
    ['/app/messages/AAAAAAAAAAAAAAAAAAAAAA/bind', 'bind'],
    ['/app/devices/self', 'devices/self'],
  ])('%s is spoken of as %s', (target, short) => {
    expect(shortPath(target)).toBe(short)
  })
})
