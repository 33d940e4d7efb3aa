import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ParityReport } from '../../src-main/core/contract/parity-report.ts'
import type { Profile } from '../../src-main/core/contract/profile.ts'
import type { PlannedCase } from '../../src-main/testing/check/run-check.ts'
import { startTestBench } from './bench.ts'
import { TWO_RPS } from './check-service.ts'
import { runCommand } from './run-command.ts'
import { serveBriefly } from './serve-briefly.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Answer = { status: number; headers: Record<string, string>; text: string }
type Change = (answer: Answer, path: string) => void

type Planted = {
  readonly profile: Partial<Profile>
  readonly change?: Change
  /** More for each answer to the RP. */
  readonly ms?: number
  readonly cases: readonly PlannedCase[]
}

/** A bench that is set up otherwise, behind something that changes what it answers. */
export const recorded = async ({ profile, change, ms = 0, cases }: Planted): Promise<string> => {
  let port = 0
  const origin = await serveBriefly((incoming, response) => {
    const { method, url = '', rawHeaders: headers } = incoming
    const where = { hostname: '127.0.0.1', port }
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
  const { bench, close } = await startTestBench({ seedData: { rps: TWO_RPS, phones: [], profile }, publicUrl: origin })
  onTestFinished(close)
  port = bench.port
  const file = join(temporaryFolder(), 'recorded.json')
  const app = bench.appUrl.replace(new URL(bench.appUrl).origin, origin)
  const args = ['--base-url', `${origin}/fido`, '--app-url', app, '--access-key', 'one:one-secret-that-is-long-enough']
  const other = ['--other-access-key', 'two:two-secret-that-is-long-enough']
  const named = cases.flatMap(({ id }) => ['--case', id])
  await runCommand(['check', ...args, ...other, ...named, '--record', file, '--parallel', '8'])
  return file
}

export const parity = async (file: string) => {
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

type Difference = Awaited<ReturnType<typeof parity>>['differences'][number]

/** What removes it, where it is, and the two sides. */
export const lineOf = ({ kind, where, field, theirs, ours, removed_by = 'nothing' }: Difference): string =>
  [`${removed_by}: ${kind}`, where, field, theirs, ours].filter((part) => part !== '').join(', ')
