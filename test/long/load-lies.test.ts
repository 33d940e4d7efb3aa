import { readFileSync } from 'node:fs'
import { request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import type { LoadReport } from '../../src-main/core/contract/load-report.ts'
import { isObject } from '../../src-main/core/protocol/json.ts'
import { randomBelow } from '../../src-main/core/protocol/random.ts'
import { startTestBench } from '../support/bench.ts'
import { ROOT } from '../support/imports.ts'
import { runCommand } from '../support/run-command.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Answer = { readonly status: number; readonly body: Buffer }
type Lie = (response: ServerResponse, answer: Answer, draw: (below: number) => number) => void

const JSON_TYPE = { 'content-type': 'application/json' }
const WRONG: readonly unknown[] = [
  ...[null, 0, -1, 1e308, 0.5, true, [], [null], {}],
  ...['', '\ud800', 'a\nb', '密钥', 'x'.repeat(100_000)],
]

/** The value with one of its parts, drawn, made something else or left out. */
const altered = (value: unknown, draw: (below: number) => number): unknown => {
  const keys = Array.isArray(value) ? [...value.keys()].map(String) : isObject(value) ? Object.keys(value) : []
  const key = keys[draw(keys.length + 1)]
  if (key === undefined) return keys.length === 0 || draw(8) === 0 ? WRONG[draw(WRONG.length)] : altered(value, draw)
  const copy = structuredClone(value) as Record<string, unknown>
  if (draw(6) === 0) delete copy[key]
  else copy[key] = altered(copy[key], draw)
  return copy
}

/** What a service may do instead of giving the answer that it has. */
const LIES: Readonly<Record<string, Lie>> = {
  'wrong types': (response, { body }, draw) => {
    const text = body.length === 0 ? '{}' : body.toString()
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(altered(JSON.parse(text), draw)))
  },
  'wrong data': (response, { body }, draw) => {
    const { data, ...envelope } = JSON.parse(body.toString())
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...envelope, data: altered(data, draw) }))
  },
  'cut short': (response, { body }, draw) =>
    void response.writeHead(200, JSON_TYPE).end(body.subarray(0, draw(body.length))),
  'cut off': (response, { body }) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': body.length + 9 }).write(body, () => response.destroy())
  },
  'no answer': (response) => void response.socket?.destroy(),
  'no HTTP': (response) => void response.socket?.end('rubbish\r\n\r\n'),
  'endless heads': (response) => void response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`),
  'another protocol': (response) =>
    void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  gigantic: (response) => {
    response.writeHead(200, JSON_TYPE).write('"')
    const more = (): void => {
      while (response.write(Buffer.alloc(1 << 20, 'x')));
      response.once('drain', more)
    }
    more()
  },
  'deeply nested': (response) => void response.writeHead(200, JSON_TYPE).end('['.repeat(500_000)),
  redirect: (response) => void response.writeHead(302, { location: '/fido' }).end(),
  'an error': (response) => void response.writeHead(500).end(),
  'no content': (response) => void response.writeHead(204).end(),
  HTML: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
  'packed that is not': (response, { body }) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
  'no UTF-8': (response) => void response.writeHead(200, JSON_TYPE).end(Buffer.from([0xff, 0xfe, 0x00])),
}

const LIE_NAMES = Object.keys(LIES)

/** A service in front of an honest one, which lies in each answer once it is told to. */
const startLyingService = async (draw: (below: number) => number) => {
  const mind = { target: 0, lies: false, told: 0 }
  const origin = await serveBriefly((asked, response) => {
    response.on('error', () => undefined)
    const { method, url, headers } = asked
    const sent = request({ port: mind.target, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      if (String(answer.headers['content-type']).startsWith('text/event-stream')) {
        response.writeHead(answer.statusCode ?? 0, answer.headers).flushHeaders()
        return void answer.pipe(response)
      }
      const parts: Buffer[] = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => {
        const honest = { status: answer.statusCode ?? 0, body: Buffer.concat(parts) }
        // Most parts of a ceremony come only after honest answers.
        const lie = mind.lies && draw(4) === 0 ? LIES[LIE_NAMES[mind.told++ % LIE_NAMES.length] ?? ''] : undefined
        if (lie === undefined) return void response.writeHead(honest.status, JSON_TYPE).end(honest.body)
        lie(response, honest, draw)
      })
    })
    sent.on('error', () => response.destroy())
    response.on('close', () => sent.destroy())
    asked.pipe(sent)
  })
  return {
    host: origin.replace('http://127.0.0.1', 'localhost'),
    standBefore: (target: number) => Object.assign(mind, { target }),
    told: () => mind.told,
    begin: () => Object.assign(mind, { lies: true }),
  }
}

const SEED = Number(process.env.HANDSET_TEST_SEED ?? 1)

test.each([[[]], [['--push']]])('a lie of the service is an error of its arrival, and no end: %j', async (more) => {
  const random = createRandom({ seed: SEED }).stream('test', 'lies', 'choices')
  const service = await startLyingService((most) => randomBelow(random, most))
  const it = await startTestBench({ allowHosts: [service.host] })
  onTestFinished(it.close)
  service.standBefore(it.bench.port)
  const root = `http://${service.host}`
  const folder = temporaryFolder()
  const args = [
    ...['load', '--base-url', `${root}/fido`, '--app-url', `${root}/app`, '--users', '20', '--rate', '30'],
    ...['--duration', '10s', '--mix', 'register=1,auth=1', '--seed', String(SEED), ...more],
    ...['--report', 'json', '--out', folder],
  ]
  const env = { HANDSET_ACCESS_KEY: `${it.bench.rp?.accessKeyId}:${it.bench.rp?.secretKey}` }
  const hears = (text: string) => void (text.includes('20 of 20 users') && service.begin())
  const told = await runCommand(args, undefined, { root: ROOT, env, hears })
  expect(told.code).toBe(1)
  const { counts, failures } = JSON.parse(readFileSync(join(folder, 'load.json'), 'utf8')) as LoadReport
  expect(counts.arrived).toBe(counts.done + counts.failed + counts.dropped)
  expect(failures.length).toBeGreaterThan(0)
  expect(service.told()).toBeGreaterThan(LIE_NAMES.length)
  expect(told.errors.filter((line) => !line.startsWith('handset load: '))).toEqual([])
})
