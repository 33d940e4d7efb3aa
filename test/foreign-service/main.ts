/**
 * `handset check` against two services that were written from the documents, in Go and in Python: `npm run foreign-service --
 * [--mutants] [--service NAME]… [--only NAME]… [--parallel N]`. Nothing of them may FAIL; each mutant, which differs in one line,
 * must be caught by the case that it names. A service is checked once directly and once through `handset proxy`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { CheckedCase } from '../../src-main/core/contract/check-report.ts'
import { defaultProfile } from '../../src-main/core/contract/profile.ts'
import { type PlannedCase, planCases } from '../../src-main/testing/check/run-check.ts'
import { applyMutant } from '../mutants/apply-mutant.ts'
import { checkService, SECRETS } from '../support/check-service.ts'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/imports.ts'
import { begin } from '../support/spawn-tied.ts'

type Mutant = {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** What the document says, and the mutant does not. */
  readonly rule: string
  /** The case that must catch it. */
  readonly case: string
  /** What that case must say where no sentence forbids the mutant. */
  readonly verdict?: 'warning'
}

const { values } = parseArgs({
  options: {
    mutants: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    parallel: { type: 'string', default: '2' },
    service: { type: 'string', multiple: true },
    show: { type: 'boolean' },
  },
})

type Service = {
  readonly name: string
  readonly source: string
  readonly files: RegExp
  readonly build: readonly [string, ...string[]]
  readonly start: readonly [string, ...string[]]
}

const HERE = import.meta.dirname
const PYTHON = '/usr/bin/python3'
const SERVICES: readonly Service[] = [
  {
    name: 'go',
    source: HERE,
    files: /\.go$|^go\.mod$/,
    build: ['go', 'build', '-o', 'service', '.'],
    start: ['./service'],
  },
  {
    name: 'python',
    source: join(HERE, 'python'),
    files: /\.py$/,
    build: [PYTHON, '-m', 'compileall', '-q', '.'],
    start: [PYTHON, 'service.py'],
  },
]
const TTL_S = 5
const plan = planCases({ ...defaultProfile, message_ttl_s: TTL_S })
const folder = mkdtempSync(join(tmpdir(), 'foreign-service-'))

const built = ({ source, files, build }: Service, name: string, change?: Mutant): string => {
  const own = join(folder, name)
  for (const file of readdirSync(source).filter((each) => files.test(each))) cpSync(join(source, file), join(own, file))
  if (change !== undefined) applyMutant(own, { ...change, what: name, find: change.from, replace: change.to })
  const { status, stderr } = spawnSync(build[0], build.slice(1), { cwd: own, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} does not build: ${stderr}`)
  return own
}

const checked = async ({ start }: Service, cwd: string, cases: readonly PlannedCase[], through?: 'proxy') => {
  const port = await freePort()
  const keys = Object.entries(SECRETS).flatMap(([id, secret]) => ['--access-key', `${id}:${secret}`])
  const options = [...start.slice(1), '--port', String(port), '--message-ttl', String(TTL_S), ...keys]
  const service = spawn(start[0], options, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let proxy: Awaited<ReturnType<typeof startProxy>> | undefined
  try {
    await new Promise<void>((ready, gone) => {
      createInterface({ input: service.stdout }).once('line', () => ready())
      service.once('exit', () => gone(new Error('the service ended')))
    })
    const direct = { baseUrl: `http://127.0.0.1:${port}/fido`, appUrl: `http://127.0.0.1:${port}/app` }
    proxy = through && (await startProxy(direct))
    const settings = { message_ttl_s: TTL_S }
    return await checkService(proxy?.addresses ?? direct, { cases, settings, slow: true, patienceMs: 4_000 })
  } finally {
    service.kill()
    void proxy?.stop()
  }
}

type Addresses = { readonly baseUrl: string; readonly appUrl: string }

/** With the key of the first RP: what the second one signs keeps its host. */
const startProxy = async ({ baseUrl, appUrl }: Addresses) => {
  const key = `one:${SECRETS.one}`
  const options = ['--target', baseUrl, '--app-url', appUrl, '--access-key', key, '--port=0', '--json']
  const { ready, stop } = begin([process.execPath, join(ROOT, 'src-main/bin.mjs'), 'proxy', ...options])
  const { base_url = '', app_url = '' } = await ready
  return { addresses: { baseUrl: base_url, appUrl: app_url }, stop }
}

const told = ({ id, verdict, text = '' }: CheckedCase): string => `${verdict.toUpperCase()} ${id}: ${text}`
const isCaught = ({ verdict }: CheckedCase): boolean => verdict === 'failed' || verdict === 'vacuous'

/** The service as it is: nothing FAILED, and nothing VACUOUS. */
const heldRight = async (service: Service, own: string, through?: 'proxy'): Promise<boolean> => {
  // The proxy knows no RP behind it, so no page of one may call it.
  const cases = plan.filter(({ id }) => through === undefined || id !== 'an-rps-origin-alone-gets-cors-headers')
  const results = await checked(service, own, cases, through)
  const bad = results.filter(isCaught)
  const passed = results.filter(({ verdict }) => verdict === 'passed').length
  console.log(
    `the right service in ${service.name}${through === undefined ? '' : ', through the proxy'}: ${passed} of ${results.length} PASSED, ${bad.length} FAILED`,
  )
  for (const result of bad) console.log(`  ${told(result)}`)
  return bad.length === 0 && passed > 0
}

const heldMutants = async (service: Service): Promise<boolean> => {
  const all = JSON.parse(readFileSync(join(service.source, 'mutants.json'), 'utf8')) as readonly Mutant[]
  const left = all.filter(({ name }) => values.only?.includes(name) ?? true)
  const count = left.length
  let caught = 0
  const worker = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const { name, case: named } = mutant
      const cases = values.show === true ? plan : plan.filter(({ id }) => id === named)
      const results = await checked(service, built(service, join(service.name, name), mutant), cases)
      const { verdict } = mutant
      const by = results.filter((each) => (verdict === undefined ? isCaught(each) : each.verdict === verdict))
      if (by.some(({ id }) => id === named)) caught += 1
      else console.log(`${name} is not caught by ${named ?? 'any named case'}`)
      if (values.show === true) console.log(JSON.stringify({ name, by: by.map(({ id }) => id) }))
    }
  }
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker))
  console.log(`${caught} of ${count} mutants in ${service.name} caught by the case that each names`)
  return caught === count
}

try {
  for (const service of SERVICES.filter(({ name }) => values.service?.includes(name) ?? true)) {
    const right = built(service, join(service.name, 'right'))
    const isRight = (await heldRight(service, right)) && (await heldRight(service, right, 'proxy'))
    const areCaught = values.mutants !== true || (await heldMutants(service))
    if (!(isRight && areCaught)) process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
