import { expect, it } from 'vitest'
import { findOtherRefusal, findShownRequest, toRpView } from '../../src-renderer/bench/rp-view.ts'
import { call, move, record, timelineOf } from './fixture.ts'

type Draft = Parameters<typeof record>[0][number]

const OPTIONS = 'POST /fido/rp/assertion/options'
const [OURS, THEIRS, LATER] = ['A', 'B', 'C'].map((letter) => letter.repeat(22)) as [string, string, string]

/** A sign-in that began at this time; without a word of who asked, somebody signed it with the RP's key. */
const began = (at: number, msgId: string, user: string, askedBy?: string): readonly Draft[] => {
  const asked = call({ id: `req_${msgId}`, line: OPTIONS, ...(askedBy === undefined ? {} : { askedBy }) })
  return [
    [at, move({ msgId, to: 'init', cause: `req_${msgId}`, user })],
    [at, asked],
  ]
}

const ended = (at: number, msgId: string, user: string): Draft => [
  at,
  move({ msgId, from: 'init', to: 'timeout', user }),
]

const refused = (at: number, code: number, askedBy?: string): Draft => [
  at,
  call({
    id: `req_refused_${at}`,
    line: OPTIONS,
    code,
    status: Math.floor(code / 100),
    body: '{"user_id":"nobody","username":"nobody"}',
    ...(askedBy === undefined ? {} : { askedBy }),
  }),
]

const unsigned = (at: number): Draft => {
  const [, draft] = refused(at, 40101)
  const { rp_id: _, access_key_id: __, ...rest } = draft as Draft[1] & { rp_id?: string; access_key_id?: string }
  return [at, rest as Draft[1]]
}

const shownIn = (drafts: readonly Draft[], page = 'page-1') => {
  const view = toRpView(findShownRequest({ timeline: timelineOf(record(drafts)), rpId: 'rp_demo', page, dismissed: 0 }))
  return view.kind === 'form'
    ? 'form'
    : `${view.kind} ${view.kind === 'request' ? view.message.username : view.username}`
}

const own = began(0, OURS, 'alice', 'page-1')

it('the RP’s window shows no success that the RP was refused to read, until it has read it', () => {
  const read = (at: number, code: number, more: object = { askedBy: 'page-1' }): Draft => [
    at,
    call({ id: `req_read_${at}`, line: `GET /fido/rp/assertion/result?msg_id=${OURS}`, code, ...more }),
  ]
  const done: Draft = [20, move({ msgId: OURS, from: 'bind', to: 'success', user: 'alice' })]
  const asked = [...own, read(10, 0), done]
  expect(shownIn([...asked, read(30, 40103)])).toBe('turned-down alice')
  expect(shownIn([...asked, read(30, 40103), read(40, 0)])).toBe('request alice')
  // It asks again after these, and a refusal to another client is nothing to it.
  expect(shownIn([...asked, read(30, 42901), read(40, 50301)])).toBe('request alice')
  expect(shownIn([...asked, read(30, 40103, {})])).toBe('request alice')
})

const bos = [...own, ...began(10, THEIRS, 'bo', 'page-2')]
const refusedThere = [...own, refused(10, 40403, 'page-2')]
const during = [...own, ...began(10, THEIRS, 'carla', 'control'), ended(20, OURS, 'alice')]

it.each<[string, readonly Draft[], string, page?: string]>([
  ['what its own page asked for', own, 'request alice'],
  ['why that was refused', [...own, refused(10, 40403, 'page-1')], 'turned-down nobody'],
  ['no request of another client that signs with the RP’s key', began(0, THEIRS, 'carla'), 'form'],
  ['its own beside such a request', [...own, ...began(10, THEIRS, 'carla')], 'request alice'],
  ['a live code when an unsigned call from elsewhere is refused', [...own, unsigned(10)], 'request alice'],
  ['a live code when a signed one is', [...own, refused(10, 40403)], 'request alice'],
  ['a live code when another page of the same bench asks', bos, 'request alice'],
  ['on the other page what that asked for', bos, 'request bo', 'page-2'],
  ['a live code when another page is refused', refusedThere, 'request alice'],
  ['on the other page why that was refused', refusedThere, 'turned-down nobody', 'page-2'],
  ['what a script asked the simulated RP for', began(0, THEIRS, 'carla', 'control'), 'request carla'],
  ['its own that is under way meanwhile', [...own, ...began(10, THEIRS, 'carla', 'control')], 'request alice'],
  ['its own outcome until a script asks for something new', during, 'request alice'],
  ['what a script asked for since', [...during, ...began(30, LATER, 'dora', 'control')], 'request dora'],
])('the RP’s window shows %s', (_, drafts, shown, page) => {
  expect(shownIn(drafts, page)).toBe(shown)
})

const noteOf = (drafts: readonly Draft[]) => findOtherRefusal(timelineOf(record(drafts)), 'rp_demo')?.code

it('a refused call from elsewhere is a note, whether it was signed, unsigned or made by a script', () => {
  expect(noteOf([unsigned(0)])).toBe(40101)
  expect(noteOf([refused(0, 40106)])).toBe(40106)
  expect(noteOf([refused(0, 40403, 'control')])).toBe(40403)
})

it('a refused call from elsewhere is the latest of them', () => {
  expect(noteOf([refused(0, 40104), unsigned(10), refused(20, 40106)])).toBe(40106)
})

it('a refused call from elsewhere is none when a page made the call: that page says so itself', () => {
  expect(noteOf([refused(0, 40403, 'page-1'), refused(10, 40403, 'page-2')])).toBeUndefined()
})
