import { createHash } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { createRpClient } from '../../src-main/sdk/rp-client.ts'
import { decodeParts, nodeAt } from '../../src-main/views/inspect/parts.ts'
import { deriveSigning } from '../../src-renderer/inspector/signing.ts'
import { cast, register } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

const bench = benchOfFile({ seed: 7 })

const exchangeTo = async (path: RegExp): Promise<Exchange> => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 1000 } })
  const event = (events as readonly Exchange[]).findLast(({ request }) => path.test(request.target))
  if (event === undefined) throw new Error(`no exchange to ${path}`)
  return event
}

const digest = async (bytes: Uint8Array): Promise<string> => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  await register(bench.client, await cast(bench.client))
})
const answered = async () => decodeParts((await exchangeTo(/\/attestation$/)).request.body)
const nodesOfData = async () => (await answered()).find(({ name }) => name === 'authenticatorData')?.nodes ?? []

it('an answer taken apart gives every part of a registration', async () => {
  expect((await answered()).map(({ name }) => name)).toEqual([
    'clientDataJSON',
    'attestationObject',
    'authenticatorData',
  ])
})

it('an answer taken apart leads from a byte to the smallest thing it belongs to', async () => {
  const nodes = await nodesOfData()
  const names = [0, 32, 40, 60].map((byte) => nodeAt(nodes, byte)?.name)
  expect(names).toEqual(['rpIdHash', 'flags', 'aaguid', 'credentialId'])
})

it('an answer taken apart lets the members of the key cover bytes of the key only', async () => {
  const nodes = await nodesOfData()
  const key = nodes.find(({ name }) => name === 'credentialPublicKey')
  const members = nodes.filter(({ id }) => id.startsWith('credentialPublicKey.'))
  expect(members.map(({ name }) => name)).toEqual(['kty', 'alg', 'crv', 'x', 'y'])
  expect(members.every(({ start, end }) => start > (key?.start ?? 0) && end <= (key?.end ?? 0))).toBe(true)
})

it('an answer taken apart shows the output of each extension where there are any', () => {
  const partsWith = (clientExtensionResults: object) =>
    decodeParts(JSON.stringify({ response: { clientExtensionResults, response: {} } }))
  expect(partsWith({})).toEqual([])
  const [part, ...others] = partsWith({ credProps: { rk: true }, prf: { enabled: false } })
  expect([part?.name, others]).toEqual(['clientExtensionResults', []])
  const shown = part?.nodes.map(({ name, value, start, end }) => [
    name,
    value,
    Buffer.from(part.bytes.subarray(start, end)).toString(),
  ])
  expect(shown).toEqual([
    ['credProps', '{"rk":true}', '{"rk":true}'],
    ['prf', '{"enabled":false}', '{"enabled":false}'],
  ])
})

it('an answer taken apart takes nothing apart that is no answer', () => {
  expect(['', '{}', '{"response":null}', 'no JSON'].map((body) => decodeParts(body))).toEqual([[], [], [], []])
})

it('a signature looked into shows the lines that the service verified', async () => {
  const exchange = await exchangeTo(/attestation\/options$/)
  const signing = await deriveSigning(exchange, 'as-sent', digest)
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

it.each(['', 'localhost'])('a signature shows the scope of its short form: "%s"', async (scopeIdentifier) => {
  const { baseUrl, rp } = bench.bench
  const key = { accessKeyId: rp?.accessKeyId ?? '', secretKey: rp?.secretKey ?? '' }
  const { now } = realClock
  const client = createRpClient({ ...key, baseUrl, form: 'short', scopeIdentifier, now })
  expect(await client.credentials('short')).toMatchObject({ ok: true })
  client.close()
  const signing = await deriveSigning(await exchangeTo(/credentials/), 'as-sent', digest)
  expect(signing?.outcome).toBe('matches')
  expect(signing?.toSign[2]).toEqual({ name: 'scope', text: `fido-server/${scopeIdentifier}` })
})

it('a signature looked into sets the service’s own texts beside a signature that does not match', async () => {
  const target = '/fido/rp/credentials?user_id=alice'
  const { headers } = (await exchangeTo(/attestation\/options$/)).request
  const { origin, host } = new URL(bench.bench.baseUrl)
  const header = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? ''
  await fetch(`${origin}${target}`, {
    headers: { 'x-svc-date': header('x-svc-date'), authorization: header('authorization') },
  })
  const signing = await deriveSigning(await exchangeTo(/credentials/), 'as-sent', digest)
  expect(signing?.outcome).toBe('mismatch')
  expect(signing?.ofService).toBe(signing?.canonicalText)
  expect(signing?.canonicalText).toContain(`host:${host}`)
})
