import { randomFillSync } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { BenchEvent } from '../../../src-main/contract/events.ts'
import { connectHandset } from '../../../src-main/sdk/index.ts'
import { entryLine, headerLine } from '../../../src-main/trace/write-trace.ts'
import { ALICE, cast, register, startTestBench } from '../../support/bench.ts'

export type LargeTrace = { readonly exchanges: number; readonly events: number; readonly bytes: number }

/** Writes a trace of so many exchanges: sign-ins as a bench recorded them, over and over, each with ids and bytes of its own. */
export const writeLargeTrace = async (path: string, wanted: number): Promise<LargeTrace> => {
  const signIns = (await recordSignIns()).map(templateOf)
  const written = { exchanges: 0, events: 0, bytes: 0 }
  const lines = function* () {
    yield headerLine({ handset: '0.0.0', title: `${wanted} exchanges`, workspace: 'main', saved: 1 })
    for (let copy = 0; written.exchanges < wanted; copy++) {
      const signIn = signIns[copy % signIns.length]
      if (signIn === undefined) throw new Error('nothing was recorded')
      const text = copyOf(signIn, { seq: written.events, later: copy * 250 })
      written.exchanges += signIn.exchanges
      written.events += signIn.events
      written.bytes += text.length
      yield text
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(path))
  return written
}

/** By code and by push, approved, rejected and forged, with polls between. */
const SIGN_INS = [
  { method: 'qrcode', act: 'phones.approve' },
  { method: 'push', act: 'phones.approve' },
  { method: 'qrcode', act: 'phones.reject' },
  { method: 'push', act: 'phones.approve', fault: 'challenge-wrong' },
] as const

const recordSignIns = async (): Promise<readonly (readonly BenchEvent[])[]> => {
  const bench = await startTestBench()
  try {
    const { client } = bench
    const { rp, phone } = await cast(client)
    await register(client, { rp, phone })
    const handset = await connectHandset(bench.bench)
    const params = { id: phone }
    const recorded: (readonly BenchEvent[])[] = []
    for (const signIn of SIGN_INS) {
      const after = await handset.lastSeq()
      if ('fault' in signIn) await client.call('phones.arm', { params, body: { fault: signIn.fault } })
      const { method } = signIn
      const { msg_id, url } = await client.call('simulator.sign-in', {
        params: { rp },
        body: { ...ALICE, method, poll: false },
      })
      const poll = () => client.call('simulator.poll', { params: { rp, msg_id } })
      await poll()
      if (method === 'qrcode') await client.call('phones.scan', { params, body: { url } })
      else {
        await handset.waitFor({ kind: 'phone', change: 'pushed' }, { after })
        await client.call('phones.open', { params, body: { msg_id } })
      }
      await poll()
      await client.call(signIn.act, { params, body: {} })
      await poll()
      recorded.push((await client.call('events.list', { query: { after, limit: 10_000 } })).events)
    }
    return recorded
  } finally {
    await bench.close()
  }
}

/** What differs from sign-in to sign-in: ids, challenges, signatures, what holds them, numbers and times. */
const OWN = new RegExp(
  [
    /\b(?:req|prm)_[0-9a-z]{16}\b/,
    /(?<=#[ar]-)[\w-]{22}\b/,
    /(?<![\w-])[\w-]{22,400}(?![\w-])/,
    /"(?:seq|wall|bench)":[\d.]+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

type Template = {
  readonly pieces: readonly string[]
  readonly own: readonly string[]
  readonly exchanges: number
  readonly events: number
}

const templateOf = (events: readonly BenchEvent[]): Template => {
  const first = events[0]?.seq ?? 1
  const text = events.map((event) => entryLine({ event: { ...event, seq: event.seq - first + 1 } })).join('')
  return {
    pieces: text.split(OWN),
    own: text.match(OWN) ?? [],
    exchanges: events.filter(({ kind }) => kind === 'exchange').length,
    events: events.length,
  }
}

const copyOf = (
  { pieces, own }: Template,
  { seq, later }: { readonly seq: number; readonly later: number },
): string => {
  const changed = new Map<string, string>()
  let text = pieces[0] ?? ''
  for (const [index, part] of own.entries()) {
    let other = changed.get(part)
    if (other === undefined) {
      const [name, count] = part.split(':')
      other = count === undefined ? otherOf(part) : `${name}:${Number(count) + (name === '"seq"' ? seq : later)}`
      changed.set(part, other)
    }
    text += other + (pieces[index + 1] ?? '')
  }
  return text
}

const random = Buffer.alloc(400)

/** As long as it is, of the same letters. */
const otherOf = (id: string): string => {
  const prefix = /^(?:req|prm)_/.exec(id)?.[0] ?? ''
  const encoding = prefix !== '' || /^[0-9a-f]+$/.test(id) ? 'hex' : 'base64url'
  return (
    prefix +
    randomFillSync(random)
      .toString(encoding)
      .slice(0, id.length - prefix.length)
  )
}
