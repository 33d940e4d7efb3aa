import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleSuite } from '../suite/sample-suite.ts'
import { freePort } from '../support/free-port.ts'
import { complaints } from '../support/heard-terminal.ts'
import { runCommand } from '../support/run-command.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()

const FATAL = 'html-page'
const OTHERS = ['user-of-another', 'user-empty', 'status-goes-back', 'body-null', 'no-content', 'clock-off']

/** The suite against an RP that ends, hangs or talks rubbish from the moment on when it meets one of the faults. */
const walkedUntil = async (fate: string) => {
  const port = await freePort()
  const env = { RP_BASE_URL: '{base_url}', RP_ACCESS_KEY_ID: '{access_key_id}', RP_SECRET_KEY: '{secret_key}' }
  const program = join(import.meta.dirname, '../support/sample-rp/doomed.mjs')
  const start = { program: process.execPath, args: [program], env: { ...env, PORT: String(port), FATE: fate } }
  const file = join(folder, `${fate}.json`)
  writeFileSync(file, JSON.stringify({ ...sampleSuite(`http://127.0.0.1:${port}`), start }))
  const faults = [FATAL, ...OTHERS].flatMap((fault) => ['--fault', fault])
  const stories = ['--story', 'sign-in-approved', '--story', 'registration-approved']
  const { code, out, errors } = await runCommand(['suite', 'rp', '--config', file, '--json', ...faults, ...stories])
  return { code, errors: complaints(errors), ...JSON.parse(out) }
}

test.each([
  ['ends', 'exit', { code: 'rp_ended', params: { ended: { exit_code: 7 }, output: 'out of luck' } }],
  ['hangs', 'hang', { code: 'rp_silent' }],
  ['answers rubbish', 'rubbish', { code: expect.stringMatching(/^(answered_no_json|locked_out)$/) }],
])('an RP that %s in the middle broke under that fault alone', { timeout: 300_000 }, async (_what, fate, reason) => {
  const { code, errors, findings, restored } = await walkedUntil(fate)
  expect({ code, errors }).toEqual({ code: 1, errors: [] })
  expect(restored).toBeGreaterThan(0)
  const broken = findings.filter(({ verdict }: { verdict: string }) => verdict !== 'held')
  expect(broken).toEqual([
    expect.objectContaining({ fault: FATAL, verdict: 'broke', reason: expect.objectContaining(reason) }),
  ])
})
