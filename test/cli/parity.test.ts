import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PlannedCase } from '../../src-main/check/plan.ts'
import type { ParityReport } from '../../src-main/contract/parity-report.ts'
import type { Profile } from '../../src-main/contract/profile.ts'
import { startTestBench } from '../support/bench.ts'
import { FEWER_CASES, TWO_RPS } from '../support/check-service.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type Answer = { status: number; headers: Record<string, string>; text: string }
type Change = (answer: Answer, path: string) => void

/** Each setting that is found is tried on all cases: only the paragraphs in which something is planted. */
const PARAGRAPHS = ['When it is refused', 'Users and credentials', 'Messages']
const PLANTED_CASES = FEWER_CASES.filter(({ says }) => PARAGRAPHS.includes(says.heading))

type Planted = {
  readonly profile: Partial<Profile>
  readonly change?: Change
  /** More for each answer to the RP. */
  readonly ms?: number
  readonly cases: readonly PlannedCase[]
}

/** A bench that is set up otherwise, behind something that changes what it answers. */
const recorded = async ({ profile, change, ms = 0, cases }: Planted): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { bench, close } = await startTestBench({
    seedData: { rps: TWO_RPS, phones: [], profile },
    publicUrl: origin,
  })
  server.on('request', (incoming, response) => {
    const { method, url = '', rawHeaders: headers } = incoming
    const where = { hostname: '127.0.0.1', port: bench.port }
    const forward = request({ ...where, method, path: url, headers, setHost: false }, async (came) => {
      const stream = came.headers['content-type']?.startsWith('text/event-stream') === true
      if (stream || change === undefined) {
        came.pipe(response.writeHead(came.statusCode ?? 0, came.rawHeaders))
        return
      }
      const chunks: Buffer[] = []
      for await (const chunk of came) chunks.push(chunk as Buffer)
      const answer: Answer = {
        status: came.statusCode ?? 0,
        headers: { ...(came.headers as Record<string, string>) },
        text: Buffer.concat(chunks).toString(),
      }
      change(answer, url)
      const { 'content-length': _length, ...rest } = answer.headers
      if (url.includes('/rp/')) await new Promise((resolve) => setTimeout(resolve, ms))
      response.writeHead(answer.status, rest).end(method === 'HEAD' ? undefined : answer.text)
    })
    forward.on('error', () => response.destroy())
    incoming.pipe(forward)
  })
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await close()
  })
  const file = join(temporaryFolder(), 'recorded.json')
  const app = bench.appUrl.replace(new URL(bench.appUrl).origin, origin)
  const args = ['--base-url', `${origin}/fido`, '--app-url', app, '--access-key', 'one:one-secret-that-is-long-enough']
  const other = ['--other-access-key', 'two:two-secret-that-is-long-enough']
  const named = cases.flatMap(({ id }) => ['--case', id])
  await runCommand(['check', ...args, ...other, ...named, '--record', file, '--parallel', '8'])
  return file
}

const parity = async (file: string) => {
  const out = temporaryFolder()
  const { code, out: told, errors } = await runCommand(['parity', file, '--out', out, '--json', '--parallel', '8'])
  if (told === '') throw new Error(errors.join('\n'))
  const read = (name: string) => JSON.parse(readFileSync(join(out, name), 'utf8'))
  const { differences, ...report } = JSON.parse(told) as ParityReport
  return {
    code,
    differences,
    ...report,
    written: { profile: read('profile.json'), conditions: read('conditions.json') },
  }
}

test('a bench of our own differs in nothing', async () => {
  const file = await recorded({ profile: {}, cases: FEWER_CASES })
  expect(readFileSync(file, 'utf8')).not.toMatch(
    /-secret-that-is-long-enough|device_token[\\":]+[^*\\":]|Bearer [\w-]{12}/,
  )
  const { code, differences, profile, conditions, compared } = await parity(file)
  expect({ code, differences, profile, conditions }).toEqual({ code: 0, differences: [], profile: {}, conditions: {} })
  expect(compared).toBeGreaterThan(150)
})

test('of ten planted differences all are named, and seven go with what it writes', { timeout: 180_000 }, async () => {
  const planted: Partial<Profile> = {
    ...{ clock_skew_s: 60, message_ttl_s: 90, final_result: 'repeatable', user_id_max: 64 },
    ...{ explain_signatures: false, user_verification: 'required' },
  }
  const file = await recorded({
    profile: planted,
    ms: 40,
    cases: PLANTED_CASES,
    change: (answer) => {
      answer.headers.server = 'cloud/1'
      answer.text = answer.text
        .replace('"code":40403', '"code":40402')
        .replaceAll(/"created_at":"[^"]*"/g, '"created_at":0')
    },
  })
  const { code, differences, written } = await parity(file)
  expect(code).toBe(1)
  expect(written).toEqual({ profile: planted, conditions: { rp: { latency_ms: expect.any(Number) } } })
  const lines = differences.map(({ kind, where, field, theirs, ours, removed_by = 'nothing' }) =>
    [`${removed_by}: ${kind}`, where, field, theirs, ours].filter((part) => part !== '').join(', '),
  )
  const named = [
    'clock_skew_s: 60: code, GET /rp/credentials, code, 40106, 0',
    expect.stringMatching(/^message_ttl_s: 90: time, POST .*, data\.expires_at, (89|90) s away, (179|180) s away$/),
    'final_result: "repeatable": code, GET /rp/attestation/result, code, 0, 41001',
    'user_id_max: 64: code, POST /rp/attestation/options, code, 40002, 0',
    'explain_signatures: false: shape, code 40104, data.canonical_request, absent, a string',
    'user_verification: "required": value, POST (app) /messages/<msg_id of 22>/bind, data.public_key.userVerification, required, preferred',
    'nothing: header, server, present, absent',
    'nothing: code, POST /rp/assertion/options, code, 40402, 40403',
    'nothing: shape, GET /rp/credentials, data.list[].created_at, a number, a string',
  ]
  expect(lines).toEqual(expect.arrayContaining(named))
  expect(lines.filter((line) => /^rp\.latency_ms: \d+: time, calls of the RP/.test(line))).toHaveLength(1)
  expect(lines.filter((line) => line.startsWith('nothing'))).toHaveLength(3)
})

test.each([
  ['no JSON', 'not json', 'it is no JSON.'],
  ['something else', '{"cases":[]}', 'it is no recording.'],
  [
    'half a recording',
    '{"base_url":"http://a","profile":{},"measured":{},"cases":[{"id":"x"}]}',
    'it is no recording.',
  ],
  [
    'settings of another version',
    '{"base_url":"http://a","profile":{"colour":"red"},"measured":{},"cases":[]}',
    'it was written by another version.',
  ],
])('a file that is %s is refused with what is wrong', async (_, text, problem) => {
  const file = join(temporaryFolder(), 'given.json')
  writeFileSync(file, text)
  const { code, errors } = await runCommand(['parity', file])
  expect(code).toBe(2)
  expect(errors.join('\n')).toContain(problem)
})

test('a command without a file, or with one that is not there, says what to give', async () => {
  expect(await runCommand(['parity'])).toMatchObject({ code: 2, errors: [expect.stringContaining('name one file')] })
  expect(await runCommand(['parity', '/nowhere/x.json'])).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('there is no file /nowhere/x.json')],
  })
})
