import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { connectHandset } from '../../src-main/sdk/index.ts'
import { startTestBench } from '../support/bench.ts'
import { serveBriefly } from '../support/serve-briefly.ts'

/** What answers instead of a bench, or stops to. The clients in Python and Java meet the same: their tests have this name too. */
const always =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status).end(body)

const envelope = (data: unknown, code: unknown = 0): string => JSON.stringify({ code, error: '', data })

const LIES: readonly (readonly [string, string])[] = [
  ['a page', '<html>'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['an envelope without a code', '{"data":{},"error":""}'],
  ['an envelope without data', '{"code":0,"error":""}'],
  ['an envelope whose code is a text', envelope({}, '0')],
  ['another object in an envelope', envelope({ name: 'x' })],
  ['null in an envelope', envelope(null)],
]

test.each(LIES)('instead of a bench: %s is told apart from one', async (_, body) => {
  const origin = await serveBriefly(always(body))
  const failure = connectHandset({ controlUrl: `${origin}/control/v1`, token: 'x' })
  await expect(failure).rejects.toMatchObject({ name: 'HandsetError', code: 'no_bench' })
  await expect(failure).rejects.toThrow(origin)
})

test('instead of a bench: an answer that never comes is given up', async () => {
  const origin = await serveBriefly(() => undefined)
  const failure = connectHandset({ controlUrl: `${origin}/control/v1`, token: 'x', timeoutMs: 50 })
  await expect(failure).rejects.toMatchObject({ name: 'HandsetError', code: 'no_answer' })
})

test('instead of a bench: an answer that breaks off is none', async () => {
  const origin = await serveBriefly((_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{"code":')
    setImmediate(() => response.destroy())
  })
  const failure = connectHandset({ controlUrl: `${origin}/control/v1`, token: 'x' })
  await expect(failure).rejects.toMatchObject({ name: 'HandsetError', code: 'unreachable' })
})

test('a bench that ends in the middle of a test is named by whatever comes next', async () => {
  const bench = await startTestBench()
  const handset = await connectHandset(bench.bench)
  const [phone, rp, lease] = [await handset.phone(), await handset.rp(), await handset.lease()]
  const waiting = handset.waitFor({ kind: 'clock' }).catch((error: unknown) => error)
  const message = await rp.register({ user_id: 'u-1', username: 'alice' })
  await bench.close()
  const gone = { name: 'HandsetError', code: 'unreachable' }
  const calls = [() => phone.scan(message.url), phone.waitForPush, handset.phone, handset.rp, lease.end]
  for (const call of calls) await expect(call()).rejects.toMatchObject(gone)
  expect(await waiting).toMatchObject({ name: expect.stringMatching(/^(WaitError|HandsetError)$/) })
  await expect(rp.credentials('u-1')).rejects.toMatchObject({ name: 'RpError', code: 0 })
  await expect(connectHandset(bench.bench)).rejects.toMatchObject(gone)
})
