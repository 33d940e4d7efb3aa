import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { createRpClient } from '../../src-main/sdk/rp.ts'
import { type DecodedPart, nodeAt, partsOf } from '../../src-main/views/inspect/parts.ts'
import { createApi } from '../../src-renderer/api.ts'
import { type BenchStore, createBenchStore } from '../../src-renderer/bench/bench-store.ts'
import { signingOf } from '../../src-renderer/inspector/signing.ts'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { freePort } from '../support/free-port.ts'
import { until } from './until.ts'

type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

let bench: TestBench
let store: BenchStore
let stop: () => void
let players: { readonly rp: string; readonly phone: string }

const lastSeq = async (): Promise<number> => (await bench.client.call('overview')).last_seq

const caughtUp = async (): Promise<void> => {
  const seq = await lastSeq()
  await until(store, (state) => state.lastSeq >= seq)
}

const exchangeTo = (path: RegExp): Exchange => {
  for (const group of [...store.getState().timeline.groups].reverse()) {
    for (const row of [...group.rows].reverse()) {
      const event = store.lookUp(row.seqs.at(-1) ?? 0)
      if (event?.kind === 'exchange' && path.test(event.request.target)) return event
    }
  }
  throw new Error(`no exchange to ${path}`)
}

const digest = async (bytes: Uint8Array): Promise<string> => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  // One of its own: it is listened on again below.
  bench = await startTestBench({ port: await freePort(), seed: 7 })
  players = await cast(bench.client)
  const api = createApi({ controlUrl: bench.bench.controlUrl, token: bench.bench.token })
  store = createBenchStore(api, () => 0)
  stop = store.start()
  await until(store, (state) => state.connection === 'live')
  await register(bench.client, players)
  await caughtUp()
})

afterAll(async () => {
  stop()
  await bench.close()
})

describe('an answer taken apart', () => {
  const part = (name: DecodedPart['name']) => {
    const found = partsOf(exchangeTo(/\/attestation$/).request.body).find((each) => each.name === name)
    if (found === undefined) throw new Error(`no ${name}`)
    return found
  }

  it('gives every part of a registration', () => {
    expect(partsOf(exchangeTo(/\/attestation$/).request.body).map(({ name }) => name)).toEqual([
      'clientDataJSON',
      'attestationObject',
      'authenticatorData',
    ])
  })

  it('leads from a byte to the smallest thing it belongs to', () => {
    const { nodes } = part('authenticatorData')
    expect([0, 32, 40, 60].map((byte) => nodeAt(nodes, byte)?.name)).toEqual([
      'rpIdHash',
      'flags',
      'aaguid',
      'credentialId',
    ])
  })

  it('lets the members of the key cover bytes of the key only', () => {
    const { nodes } = part('authenticatorData')
    const key = nodes.find(({ name }) => name === 'credentialPublicKey')
    const members = nodes.filter(({ id }) => id.startsWith('credentialPublicKey.'))
    expect(members.map(({ name }) => name)).toEqual(['kty', 'alg', 'crv', 'x', 'y'])
    expect(members.every(({ start, end }) => start > (key?.start ?? 0) && end <= (key?.end ?? 0))).toBe(true)
  })

  it('takes nothing apart that is no answer', () => {
    expect(['', '{}', '{"response":null}', 'no JSON'].map((body) => partsOf(body))).toEqual([[], [], [], []])
  })
})

describe('a signature looked into', () => {
  it('shows the lines that the service verified', async () => {
    const exchange = exchangeTo(/attestation\/options$/)
    const signing = await signingOf(exchange, 'as-sent', digest)
    expect(signing?.outcome).toBe('matches')
    expect(signing?.canonical.map(({ name, text }) => [name, text])).toEqual([
      ['method', 'POST'],
      ['path', '/fido/rp/attestation/options'],
      ['query', ''],
      ['headers', expect.stringMatching(/^content-type:|^host:/)],
      ...(signing?.canonical.slice(4, -2).map(({ text }) => ['', text]) ?? []),
      ['signed', expect.stringContaining('host')],
      ['payload', createHash('sha256').update(exchange.request.body).digest('hex')],
    ])
    const [, , , request] = signing?.toSign ?? []
    expect(request?.text).toBe(
      createHash('sha256')
        .update(signing?.canonicalText ?? '', 'latin1')
        .digest('hex'),
    )
  })

  it.each(['', 'localhost'])(
    'shows the scope with which the short form was accepted: "%s"',
    async (scopeIdentifier) => {
      const { baseUrl, rp } = bench.bench
      const key = { accessKeyId: rp?.accessKeyId ?? '', secretKey: rp?.secretKey ?? '' }
      const { now } = realClock
      const client = createRpClient({ ...key, baseUrl, form: 'short', scopeIdentifier, now })
      expect(await client.credentials('short')).toMatchObject({ ok: true })
      client.close()
      await caughtUp()
      const signing = await signingOf(exchangeTo(/credentials/), 'as-sent', digest)
      expect(signing?.outcome).toBe('matches')
      expect(signing?.toSign[2]).toEqual({ name: 'scope', text: `fido-server/${scopeIdentifier}` })
    },
  )

  it('sets the service’s own texts beside a signature that does not match', async () => {
    const target = '/fido/rp/credentials?user_id=alice'
    const { headers } = exchangeTo(/attestation\/options$/).request
    const { origin, host } = new URL(bench.bench.baseUrl)
    const header = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
    await fetch(`${origin}${target}`, {
      headers: { 'x-svc-date': header('x-svc-date'), authorization: header('authorization') },
    })
    await caughtUp()
    const signing = await signingOf(exchangeTo(/credentials/), 'as-sent', digest)
    expect(signing?.outcome).toBe('mismatch')
    expect(signing?.service?.canonicalRequest).toBe(signing?.canonicalText)
    expect(signing?.canonicalText).toContain(`host:${host}`)
  })
})
