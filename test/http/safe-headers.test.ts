import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import type { RawResponse } from '../../src-main/http/message.ts'
import { createServer } from '../../src-main/http/server.ts'
import type { LogLine } from '../../src-main/protocol/log.ts'

const good: RawResponse = { status: 200, headers: [], body: 'here' }

test.each<readonly [string, Partial<RawResponse>, number]>([
  ['a value of several lines', { headers: [['ETag', '"a\r\nSet-Cookie: b=中"']] }, 200],
  ['a name of several lines', { headers: [['ETag\r\nSet-Cookie', 'b']] }, 500],
  ['an empty name', { headers: [['', 'b']] }, 500],
  ['a trailer without chunks', { headers: [['Trailer', 'ETag']] }, 500],
  ['the status 42', { status: 42 }, 500],
  ['the status 1001', { status: 1001 }, 500],
  ['no status', { status: Number.NaN }, 500],
  ['a reason phrase that no line holds', { passed: { reason: 'a\x01b' } }, 500],
])('[import.rules] an answer with %s ends nothing and smuggles nothing in', async (_, part, status) => {
  const log: LogLine[] = []
  const server = createServer({
    mounts: [{ prefix: '/', bodyLimit: () => 0, answer: async () => ({ ...good, ...part }) }],
    workspaceExists: () => true,
    random: createRandom({ seed: 1 }),
    log: (line) => void log.push(line),
  })
  onTestFinished(() => server.close())
  const listening = await server.listen({ port: 0, hosts: ['127.0.0.1'] })
  const answer = await fetch(`http://127.0.0.1:${listening.ok ? listening.value.port : 0}/`)
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([status, null])
  expect(answer.headers.get('etag')).toBe(status === 200 ? '"a??Set-Cookie: b=?"' : null)
  expect(log.map(({ event }) => event)).toEqual(status === 200 ? [] : ['bug'])
})
