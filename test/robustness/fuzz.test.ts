import { expect, onTestFinished, test } from 'vitest'
import type { ExchangeFact } from '../../src-main/contract/events.ts'
import { isLong } from '../support/parts.ts'
import { startProxy } from '../support/proxy.ts'
import { diceOf } from './dice.ts'
import { oddTarget, readOddTrace } from './fuzz-forward.ts'
import { fuzz, onItsOwn } from './fuzzer.ts'

const MEGABYTE = 2 ** 20

// `npm run fuzz` sends 20,000.
test('500 requests that are nearly right: no 500, no silence, no end, and the memory comes back', {
  timeout: 300_000,
}, async () => {
  const { problems, codes, heapBytes } = await fuzz({ requests: 500, seed: 20_000 })
  expect(problems).toEqual([])
  expect(heapBytes.end - heapBytes.warm).toBeLessThan(8 * MEGABYTE)
  // They went everywhere: past the signature, into the judge, and to most refusals that there are.
  expect(Object.keys(codes).length).toBeGreaterThan(20)
  expect(codes[0]).toBeGreaterThan(25)
})

/** `npm test -- long` sends 20,000. */
const COUNT = isLong ? 20_000 : 300

test(`${COUNT} answers of a target and traces that are nearly right: each is an answer or a clear error, and none ends the process`, {
  timeout: 900_000,
}, async () => {
  const dice = diceOf(7)
  const target = await oddTarget(dice.fork())
  onTestFinished(() => void target.close())
  const recorded: ExchangeFact[] = []
  for (let n = 0; n < COUNT / 2; n++) recorded.push(...(await readOddTrace(n, dice)))
  const { bench, log } = await startProxy({
    ...{ baseUrl: `${target.origin}/fido`, appUrl: `${target.origin}/app`, keyed: false },
    recorded: recorded.map((each) => ({ ...each, wall: 1 })),
  })
  const host = `Host: 127.0.0.1:${bench.port}\r\nConnection: close\r\n\r\n`
  const problems: string[] = []
  const seen: Record<string, number> = {}
  for (let n = 0; n < COUNT; n++) {
    const { request } = recorded[n] ?? {}
    const wanted = dice.pick(['/fido/rp/credentials?user_id=u', '/fido/m', '/app/inbox', '/app/vault'])
    const octets = Buffer.from(`${request?.method ?? 'GET'} ${request?.target ?? wanted} HTTP/1.1\r\n${host}`, 'latin1')
    const { how, heard } = await onItsOwn(bench.port, { label: '', octets, method: 'GET', mode: 'answer' })
    const word = /^HTTP\/1\.1 ([2-9]\d\d) /.exec(heard.toString('latin1', 0, 20))?.[1] ?? how
    seen[word] = (seen[word] ?? 0) + 1
    if (!/^\d{3}$/.test(word) || word === '500') problems.push(`${word}: ${octets.toString('latin1', 0, 200)}`)
  }
  expect(problems).toEqual([])
  expect(log.filter(({ level }) => level === 'error')).toEqual([])
  expect(Math.min(seen[200] ?? 0, seen[502] ?? 0, recorded.length)).toBeGreaterThan(COUNT / 20)
})
