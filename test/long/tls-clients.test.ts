import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTrustStore } from '../../src-main/bench/tls/trust-store.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()
const pem = join(folder, 'ca.pem')
const store = join(folder, 'ca.p12')
let bench: TestBench
let address = ''
beforeAll(async () => {
  bench = await startTestBench({ tls: 'generated' })
  const { authority = '', port } = bench.bench
  writeFileSync(pem, authority)
  writeFileSync(store, createTrustStore(authority))
  address = `https://localhost:${port}/healthz`
})
afterAll(async () => {
  await bench.close()
})

const JAVA =
  'public class Get { public static void main(String[] a) throws Exception { System.out.write(new java.net.URI(a[0]).toURL().openStream().readAllBytes()); System.out.flush(); } }'
const JAVA_FILE = join(folder, 'Get.java')
writeFileSync(JAVA_FILE, JAVA)
const PYTHON = 'import sys, urllib.request; sys.stdout.write(urllib.request.urlopen(sys.argv[1]).read().decode())'
const NODE = 'fetch(process.argv[1]).then((answer) => answer.text()).then((text) => process.stdout.write(text))'
const trustStore = [`-Djavax.net.ssl.trustStore=${store}`]

/** What each client prints, and with which exit code it ends. */
const run = async (program: string, args: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(program, [...args, address], { env: { ...process.env, ...env } })
  const [out, code] = await Promise.all([
    text(child.stdout),
    new Promise((resolve) => child.on('close', resolve)),
    text(child.stderr),
  ])
  return { out, code }
}

const clients: readonly [string, string, readonly string[], readonly string[], Record<string, string>][] = [
  ['curl', 'curl', ['-sS'], ['--cacert', pem], {}],
  ['Python', 'python3', ['-c', PYTHON], [], { SSL_CERT_FILE: pem }],
  ['Node', process.execPath, ['-e', NODE], [], { NODE_EXTRA_CA_CERTS: pem }],
  ['Java with the password', 'java', [JAVA_FILE], [...trustStore, '-Djavax.net.ssl.trustStorePassword=changeit'], {}],
  ['Java without the password', 'java', [JAVA_FILE], trustStore, {}],
]

const isThere = (program: string): boolean =>
  program === process.execPath ||
  process.env.HANDSET_TEST_LANGUAGES === 'all' ||
  spawnSync(program, ['--version']).error === undefined

test.each(clients.filter(([, program]) => isThere(program)))(
  '[cli.tls] %s is answered when it trusts the CA, and else refuses',
  async (_, program, args, trust, env) => {
    expect(await run(program, [...trust, ...args], env)).toEqual({ out: 'ok\n', code: 0 })
    expect(await run(program, args)).toMatchObject({ out: '', code: expect.not.toSatisfy((code) => code === 0) })
  },
)

test.skipIf(!isThere('keytool'))('[cli.tls] keytool lists the CA as a certificate that is trusted', () => {
  const { stdout } = spawnSync('keytool', ['-list', '-keystore', store, '-storepass', 'changeit'], { encoding: 'utf8' })
  expect(stdout).toContain('trustedCertEntry')
})
