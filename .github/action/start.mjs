// @ts-check
// The step of action.yml: installs the package outside the checkout, starts a bench that outlives the step, and tells the job where it is.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { env } = process
const needed = (/** @type {string} */ name) => {
  const value = env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set: this runs in a GitHub Actions job only.`)
  return value
}

const folder = mkdtempSync(join(needed('RUNNER_TEMP'), 'handset-'))
const version = needed('INPUT_VERSION')
const wanted = /^[./]|\.tgz$/.test(version) ? version : `handset@${version}`
const installed = spawnSync(
  'npm',
  ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', wanted],
  { stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' },
)
if (installed.status !== 0) process.exit(1)

const log = join(folder, 'handset.log')
const ready = join(folder, 'ready.json')
writeFileSync(ready, '', { mode: 0o600 })
const options = (env.INPUT_OPTIONS ?? '').split(/\s+/).filter(Boolean)
const program = join(folder, 'node_modules/handset/bin.mjs')
const kept = options.includes('--data') ? [] : ['--memory']
const child = spawn(
  process.execPath,
  [program, 'serve', '--json', '--verbose', ...kept, '--port', env.INPUT_PORT ?? '0', ...options],
  { stdio: ['ignore', openSync(ready, 'w'), openSync(log, 'w')], detached: true },
)
child.unref()
const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
const tick = () => new Promise((resolve) => setTimeout(() => resolve(undefined), 100))
for (let waited = 0; readFileSync(ready, 'utf8').indexOf('\n') < 0; waited += 100) {
  const code = await Promise.race([exited, tick()])
  if (code !== undefined || waited > 30_000) {
    console.error(readFileSync(log, 'utf8') || 'handset serve wrote nothing.')
    console.error(code === undefined ? 'It was not ready within 30 s.' : `It ended with exit code ${code}.`)
    process.exit(1)
  }
}

/** @type {Record<string, string | number | null>} */
const told = JSON.parse(readFileSync(ready, 'utf8'))
// The runner replaces what is masked in every log from here on.
for (const secret of [told.token, told.secret_key]) if (secret) console.log(`::add-mask::${secret}`)
const ca = told.ca ? join(folder, 'ca.pem') : ''
if (told.ca) writeFileSync(ca, String(told.ca))

const outputs = { base_url: told.base_url, control_url: told.control_url, access_key_id: told.access_key_id, ca, log }
const variables = {
  HANDSET_CONTROL_URL: told.control_url,
  HANDSET_TOKEN: told.token,
  ...(ca === '' ? {} : { HANDSET_CA: ca, NODE_EXTRA_CA_CERTS: ca }),
}
// Of your own RP, not of Handset: a HANDSET_ variable is an option of the command.
const forRp = { FIDO_BASE_URL: told.base_url, FIDO_ACCESS_KEY_ID: told.access_key_id, FIDO_SECRET_KEY: told.secret_key }
const lines = (/** @type {Record<string, unknown>} */ values) =>
  Object.entries(values).map(([name, value]) => `${name}=${value ?? ''}\n`).join('')
appendFileSync(needed('GITHUB_OUTPUT'), lines(outputs))
appendFileSync(needed('GITHUB_ENV'), lines({ ...variables, ...forRp }))
appendFileSync(needed('GITHUB_STATE'), lines({ pid: told.pid, log }))
console.log(`The bench is ready: ${told.base_url}`)
