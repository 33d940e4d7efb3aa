import { get } from 'node:http'
import { expect, test, vi } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

const bench = benchOfFile({ seed: 1 })

/** The numbers of the events that a stream brings, until there are so many. */
const follow = (count: number, after: number, begun: () => void = () => {}): Promise<readonly number[]> =>
  new Promise((resolve, reject) => {
    const url = `${bench.bench.controlUrl}/events/stream?after=${after}`
    const request = get(url, { headers: { Authorization: `Bearer ${bench.bench.token}` } }, (response) => {
      let rest = ''
      const seqs: number[] = []
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('id: ')) seqs.push(Number(line.slice(4)))
        if (seqs.length > 0) begun()
        if (seqs.length < count) return
        request.destroy()
        resolve(seqs)
      })
      response.on('end', () => reject(new Error('the stream ended')))
    })
    request.on('error', reject)
  })

test('a stream brings a long past and what happens meanwhile, each event once and in order', async () => {
  const nothing = `${bench.bench.baseUrl}/nowhere`
  const ask = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i += 50) await Promise.all(Array.from({ length: 50 }, () => fetch(nothing)))
  }
  await ask(2_000)
  const { last_seq: before } = await bench.client.call('events.list', { query: { limit: 1 } })
  expect(before).toBeGreaterThan(2_000)
  const streams = [0, 1, before - 700].map((after) => follow(before - after + 400, after))
  await ask(400)
  for (const [i, seqs] of (await Promise.all(streams)).entries()) {
    const after = [0, 1, before - 700][i] ?? 0
    expect(seqs).toEqual(seqs.map((_, n) => after + 1 + n))
  }
})

test('an event is made text once, however many streams are open', async () => {
  await fetch(`${bench.bench.baseUrl}/nowhere`)
  const { last_seq: last } = await bench.client.call('events.list', { query: { limit: 1 } })
  // Who was told of the latest event is told of the next ones as they happen.
  const begun = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const streams = begun.map(({ resolve }) => follow(3, last - 1, resolve))
  await Promise.all(begun.map(({ promise }) => promise))
  const texts = vi.spyOn(JSON, 'stringify')
  await fetch(`${bench.bench.baseUrl}/nowhere`)
  await bench.client.call('clock.advance', { body: { ms: 1_000 } })
  await Promise.all(streams)
  const made = texts.mock.calls.map(([value]) => (value as Partial<BenchEvent> | null)?.seq)
  expect(made.filter((seq) => seq !== undefined)).toEqual([last + 1, last + 2])
})

test('a brief list says what happened, without what was sent', async () => {
  const [whole, brief] = await Promise.all(
    [false, true].map((brief) => bench.client.call('events.list', { query: { brief, kind: 'exchange', limit: 1 } })),
  )
  const [{ kind, request, response, ...rest } = { kind: '' }] = (whole?.events ?? []) as Extract<
    BenchEvent,
    { kind: 'exchange' }
  >[]
  expect([kind, response?.body]).toEqual(['exchange', expect.stringContaining('"code":')])
  expect(brief?.events).toEqual([
    {
      ...rest,
      kind,
      request: { ...request, headers: [], body: '' },
      response: { ...response, headers: [], body: '' },
    },
  ])
})
