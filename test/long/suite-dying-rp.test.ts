import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { complaints } from '../support/heard-terminal.ts'
import { runCommand } from '../support/run-command.ts'
import { folderOfFile } from '../support/temporary-folder.ts'
import { sampleSuite } from '../testing/suite/sample-suite.ts'

const folder = folderOfFile()

const FATAL = 'html-page'
const OTHERS = ['user-of-another', 'user-empty', 'status-goes-back', 'body-null', 'no-content', 'clock-off']

const PROGRAM = join(import.meta.dirname, '../support/sample-rp/doomed.mjs')

/** A configuration for an RP that ends, hangs or talks rubbish from the moment on when it meets one of the faults. */
const doomed = async (fate: string) => {
  const port = String(await freePort())
  const env = { RP_BASE_URL: '{base_url}', RP_ACCESS_KEY_ID: '{access_key_id}', RP_SECRET_KEY: '{secret_key}' }
  const start = { program: process.execPath, args: [PROGRAM], env: { ...env, PORT: port, FATE: fate } }
  const file = join(folder, `${port}.json`)
  const suite = { ...sampleSuite(`http://127.0.0.1:${port}`), start }
  writeFileSync(file, JSON.stringify(suite))
  return { file, suite, port }
}

const walkedWith = async (file: string, faults: readonly string[], more: readonly string[] = []) => {
  const stories = ['--story', 'sign-in-approved', '--story', 'registration-approved']
  const args = [...more, ...faults.flatMap((fault) => ['--fault', fault]), ...stories]
  const { code, out, errors } = await runCommand(['suite', 'rp', '--config', file, '--json', ...args])
  return { code, errors: complaints(errors), ...JSON.parse(out) }
}

const walkedUntil = async (fate: string) => walkedWith((await doomed(fate)).file, [FATAL, ...OTHERS])

test.each([
  ['ends', 'exit', { code: 'rp_ended', params: { ended: { exit_code: 7 }, output: 'out of luck' } }],
  ['hangs', 'hang', { code: 'rp_silent' }],
  ['answers rubbish', 'rubbish', { code: expect.stringMatching(/^(answered_no_json|locked_out)$/) }],
])('an RP that %s in the middle broke under that fault alone', async (_what, fate, reason) => {
  const { code, errors, findings, restored } = await walkedUntil(fate)
  expect({ code, errors }).toEqual({ code: 1, errors: [] })
  expect(restored).toBeGreaterThan(0)
  const broken = findings.filter(({ verdict }: { verdict: string }) => verdict !== 'held')
  expect(broken).toMatchObject([{ fault: FATAL, verdict: 'broke', reason }])
})

test('one cause in several stories is one finding, with the error and the frame of the RP’s own code', async () => {
  const { file } = await doomed('throw')
  const { findings, causes } = await walkedWith(file, [FATAL, 'gateway-page', 'user-of-another'])
  const broken = findings.filter(({ verdict }: { verdict: string }) => verdict === 'broke')
  const both = [FATAL, 'gateway-page']
  expect(broken).toMatchObject(both.map((fault) => ({ fault, rule: 12 })))
  const cause = { error: expect.stringContaining('TypeError: '), frame: expect.stringContaining('doomed.mjs:') }
  expect(causes).toEqual([{ ...cause, places: both.map((fault) => ({ fault, story: 'sign-in-approved' })) }])
})

test('an RP that the suite did not start and that ends is no verdict on the stories beside it', async () => {
  const { file, suite, port } = await doomed('exit')
  writeFileSync(file, JSON.stringify({ ...suite, start: undefined }))
  const bench = String(await freePort())
  const secret = 'a-secret-that-is-long-enough'
  const own = { RP_BASE_URL: `http://localhost:${bench}/fido`, RP_ACCESS_KEY_ID: 'doomed', RP_SECRET_KEY: secret }
  const rp = spawn(process.execPath, [PROGRAM], { env: { ...process.env, ...own, PORT: port, FATE: 'exit' } })
  try {
    await expect.poll(() => fetch(suite.url).then(() => true)).toBe(true)
    const at = ['--port', bench, '--access-key', `doomed:${secret}`]
    const { code, findings, restored } = await walkedWith(file, [FATAL, ...OTHERS], at)
    expect({ code, restored }).toEqual({ code: 1, restored: 0 })
    const told: { verdict: string; reason?: { code: string } }[] = findings
    expect(told.filter(({ verdict }) => verdict === 'broke')).toEqual([])
    expect(new Set(told.flatMap(({ reason }) => reason?.code ?? []))).toEqual(new Set(['stopped_beside', 'rp_gone']))
  } finally {
    rp.kill()
  }
})
