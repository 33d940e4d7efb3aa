import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { BenchEvent, ExchangeFact } from '../../src-main/core/contract/events.ts'
import { exchangeCode } from '../../src-main/views/code/exchange-code.ts'
import { CODE_LANGUAGES } from '../../src-main/views/code/languages.ts'
import { createHar } from '../../src-main/views/report/har.ts'
import { foldTimeline } from '../../src-main/views/timeline/event-views.ts'
import { newTimeline } from '../../src-main/views/timeline/timeline.ts'
import { isNightly } from '../support/parts.ts'
import { startProxy } from '../support/proxy.ts'
import { readTrace } from '../support/read-trace.ts'
import { listenBriefly } from '../support/serve-briefly.ts'
import { type Dice, diceOf } from './dice.ts'
import { fuzz, onItsOwn } from './fuzzer.ts'
import { mutateBytes, mutateJson, mutateValue, oddText } from './mutate.ts'

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

/** `npm run test:nightly` sends 20,000. */
const COUNT = isNightly ? 20_000 : 300

test(`${COUNT} answers of a target and traces that are nearly right: each is an answer or a clear error, and none ends the process`, {
  timeout: 900_000,
}, async () => {
  const dice = diceOf(7)
  const target = await oddTarget(dice.fork())
  const recorded: ExchangeFact[] = []
  for (let n = 0; n < COUNT / 2; n++) recorded.push(...(await readOddTrace(n, dice)))
  const { bench, log } = await startProxy({
    ...{ baseUrl: `${target}/fido`, appUrl: `${target}/app`, keyed: false },
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

const ENVELOPE = {
  code: 0,
  data: { msg_id: 'AAAA', url: 'x:#?AAAA', status: 'init', expires_at: 1, list: [{ a: 1 }] },
  error: '',
}

const STATUS_LINES = [
  ...['HTTP/1.1 200 OK', 'HTTP/1.1 200', 'HTTP/1.1 200 ', 'HTTP/1.0 200 OK', 'HTTP/2 200', 'ICY 200 OK', 'SSH-2.0'],
  ...['042 x', '099 x', '000 x', '999 x', '1000 x', '+200 x', '101 Switching', '103 Early', '100 Continue', '204 No'],
  ...['304 Not', '200 a\x01b', '200 \xff\xfe', '200 a\tb', '200 a\0b', '600 \u007f'],
].map((line) => (/^\+?\d/.test(line) ? `HTTP/1.1 ${line}` : line))
const HEADERS = [
  ...['Connection: host, close', 'Connection: Upgrade', 'Upgrade: websocket', 'Keep-Alive: timeout=0', 'Trailer: X'],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: gzip', 'Content-Encoding: gzip', 'Content-Encoding: br'],
  ...['Content-Length: 5', 'Content-Length: -1', 'Content-Length: 99', 'Content-Type: text/event-stream'],
  ...['Content-Type: application/json', 'Set-Cookie: a=\xff', 'Date: x', ' folded', ': no name', 'No colon', 'A b: c'],
  ...['X: \x1b', 'X: a\rb', 'X:\ty', 'Expect: x'],
]

/** What a target may say, nearly right; after it the connection ends. */
const oddAnswer = (dice: Dice): Buffer => {
  const body = dice.chance(0.1) ? Buffer.from('['.repeat(dice.pick([40, 5_000, 100_000]))) : mutateJson(ENVELOPE, dice)
  const headers = Array.from({ length: dice.below(4) }, () => dice.pick(HEADERS))
  const sized = dice.chance(0.5) ? [`Content-Length: ${body.length}`] : []
  const line = dice.chance(0.6) ? 'HTTP/1.1 200 OK' : dice.pick(STATUS_LINES)
  const head = Buffer.from(`${[line, ...headers, ...sized].join('\r\n')}\r\n\r\n`, 'latin1')
  const chunked = `${body.length.toString(16)}\r\n${body.toString('latin1')}\r\n0\r\nX: \x01\r\n\r\n`
  const whole = Buffer.concat([
    head,
    headers.includes('Transfer-Encoding: chunked') ? Buffer.from(chunked, 'latin1') : body,
  ])
  return dice.chance(0.2) ? mutateBytes(whole, dice) : whole
}

/** A target that says so to each connection. */
const oddTarget = async (dice: Dice) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => void socket.end(oddAnswer(dice)))
  })
  return `http://127.0.0.1:${await listenBriefly(server)}`
}

const NAMES = [
  ...['X', 'Set-Cookie', 'Trailer', 'Transfer-Encoding', 'Connection', 'X\r\nY', 'A b', '', '__proto__', 'Upgrade'],
  'Content-Length',
]

const exchangeOf = (n: number, dice: Dice): BenchEvent & ExchangeFact => ({
  ...{ v: 1, seq: n + 1, workspace: 'main', actor: { kind: 'rp' }, wall: n, bench: n },
  ...{ kind: 'exchange', interface: 'rp', took_us: 1 },
  request: {
    ...{ id: `req_${n}`, method: dice.pick(['GET', 'POST', 'GET;id', 'a b', 'HEAD']) },
    body: mutateJson({ user_id: 'u' }, dice).toString(),
    ...{ target: `/fido/rp/credentials?n=${n}`, body_bytes: 1, route: '/fido/rp/credentials' },
    headers: [
      ['Host', dice.pick(['localhost', 'a b', 'x:99999', '@', ''])],
      [dice.pick(NAMES), oddText(dice)],
    ],
  },
  response: {
    status: dice.chance(0.6) ? 200 : dice.pick([0, 42, 99, 100, 101, 103, 204, 304, 599, 999, 1001, 200.5, -1]),
    code: 0,
    headers: [[dice.pick(NAMES), oddText(dice)]],
    body: mutateJson(ENVELOPE, dice).toString(),
  },
})

const HEADER = { format: 'handset-trace', version: 1, handset: '1', title: 't', workspace: 'w', saved: 1 }

/** A trace of one event, nearly right: refused with a reason, or every view of it can be made. */
const readOddTrace = async (n: number, dice: Dice): Promise<readonly (BenchEvent & ExchangeFact)[]> => {
  const event = dice.chance(0.5) ? exchangeOf(n, dice) : mutateValue(exchangeOf(n, dice), dice)
  const text = [HEADER, { event }].map((line) => `${JSON.stringify(line)}\n`).join('')
  const trace = await readTrace(new Blob([text]).stream())
  if (!trace.ok) return []
  createHar(trace.value.events, '1')
  trace.value.events.reduce(foldTimeline, newTimeline())
  return trace.value.events.flatMap((each) => {
    if (each.kind !== 'exchange') return []
    for (const language of CODE_LANGUAGES) exchangeCode(each, { language, signers: NO_SIGNERS })
    return [each]
  })
}

const NO_SIGNERS = { curl: `method=\${1^^}`, node: '', python: '', java: '', go: '' }
