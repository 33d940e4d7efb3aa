import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { CheckReport } from '../../src-main/core/contract/check-report.ts'
import { findBrowser } from '../support/browser.mjs'
import { complaints } from '../support/heard-terminal.ts'
import { ROOT } from '../support/imports.ts'
import { beginCommand, runCommand } from '../support/run-command.ts'
import { begin } from '../support/spawn-tied.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A site that believes every origin. */
const serving = async (site: string, variant = 'AS_IS'): Promise<string> => {
  const program = [process.execPath, `test/foreign-servers/sites/${site}.mjs`] as const
  const { ready, child } = begin(program, { cwd: ROOT, env: { ...process.env, LENIENT: '1', [variant]: '1' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return (await ready).url ?? ''
}

/** What such a server gets by the test API, too: test/testing/check/webauthn.test.ts. */
const CASES = {
  'a-registration-and-a-sign-in-are-accepted': 'passed',
  'a-registration-with-challenge-wrong-is-refused': 'passed',
  'a-registration-with-origin-other-port-is-refused': 'failed',
  'a-sign-in-with-signature-by-another-key-is-refused': 'passed',
  'a-sign-in-with-origin-other-port-is-refused': 'failed',
}

const verdictsBy = async (expected: object, file: string) => {
  const cases = Object.keys(expected).flatMap((id) => ['--case', id])
  const { out } = await runCommand(['check', '--webauthn', '--config', file, ...cases, '--json'])
  return Object.fromEntries((JSON.parse(out) as CheckReport).cases.map(({ id, verdict }) => [id, verdict]))
}

/** Beside Playwright, which is looked for where the file is to be. */
const newFile = (): string => {
  const folder = temporaryFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  process.env.HANDSET_BROWSER ??= findBrowser() ?? ''
  return join(folder, 'site.yaml')
}

/** What a site cannot be sent, or need not refuse, has no verdict. */
const HAS_FORM = 'a-registration-with-client-data-in-plain-base64-is-refused'
const ASKS_WHO = 'a-credential-of-another-user-signs-nobody-in'
const TAKES_U2F = 'fido-u2f-attestation-of-an-unknown-maker-is-accepted-or-left-to-the-servers-trust'

const FELL_OVER = {
  ...{ 'a-registration-with-challenge-wrong-is-refused': 'warning' },
  ...{ 'a-sign-in-with-signature-by-another-key-is-refused': 'warning' },
}

test.each([
  ['plain', '', { [HAS_FORM]: 'passed', [ASKS_WHO]: 'passed', [TAKES_U2F]: 'skipped' }],
  ['plain', 'ALONE', { ...FELL_OVER, [ASKS_WHO]: 'skipped' }],
  ['account', '', { [HAS_FORM]: 'passed', [ASKS_WHO]: 'skipped', [TAKES_U2F]: 'skipped' }],
  ['token', '', { [HAS_FORM]: 'skipped', [ASKS_WHO]: 'passed', [TAKES_U2F]: 'skipped' }],
  ['form', '', { [HAS_FORM]: 'passed', [ASKS_WHO]: 'passed', [TAKES_U2F]: 'skipped' }],
])('--init learns the calls of site "%s" %s by its page, and the verdicts are equal', async (site, variant, more) => {
  const url = await serving(site, variant || undefined)
  const file = newFile()
  const init = () => runCommand(['check', '--webauthn', '--init', url, '--config', file])
  const { code, out, errors } = await init()
  expect({ code, errors: complaints(errors) }).toEqual({ code: 0, errors: [] })
  expect(out).toContain(`handset check --webauthn --config ${file}`)
  expect(await verdictsBy({ ...CASES, ...more }, file)).toEqual({ ...CASES, ...more })
  expect(readFileSync(file, 'utf8')).toMatch(/^# yaml-language-server: \$schema=\S+\/webauthn-server\.schema\.json\n/)
  expect(await init()).toMatchObject({ code: 3 })
})

test('a page on which nothing registers a passkey is told by what it has', async () => {
  const url = `${await serving('form')}/inside`
  const file = newFile()
  const { code, errors } = await runCommand(['check', '--webauthn', '--init', url, '--config', file])
  expect(code).toBe(3)
  expect(errors.join()).toContain('no button, link or field with a name')
})

test('a stop while it uses the page is told as such, and no file is written', async () => {
  const url = await serving('plain')
  const file = newFile()
  const stop = new AbortController()
  const args = ['check', '--webauthn', '--init', url, '--config', file]
  const { ended, errors } = beginCommand(args, undefined, { stop: stop.signal })
  stop.abort()
  expect({ code: await ended, errors }).toEqual({ code: 130, errors: ['handset check: stopped before the end.'] })
  expect(existsSync(file)).toBe(false)
})
