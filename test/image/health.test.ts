import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { ROOT } from '../support/imports.ts'
import { beginCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { certificateFor } from '../support/tls.ts'

/** The health check and the command line read the same variables, and must read them alike. */
type Variables = Readonly<Record<string, string>>

const serve = async (env: Variables): Promise<void> => {
  const stop = new AbortController()
  const args = ['serve', '--memory', '--json', '--log', 'off']
  const { ended, out, errors } = beginCommand(args, undefined, { env, stop: stop.signal })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  await expect.poll(() => [...out, ...errors][0] ?? '').toContain('"ready":true')
}

const checkHealth = async (env: Variables) => {
  const check = spawn(process.execPath, [join(ROOT, 'src-main/cli/launch/package-health.mjs')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [status]] = await Promise.all([text(check.stderr), once(check, 'close')])
  return { status, errors }
}

const certificateFiles = (): Variables => {
  const folder = temporaryFolder()
  const { server } = certificateFor()
  const [certificate, key] = [join(folder, 'chain.pem'), join(folder, 'key.pem')]
  writeFileSync(certificate, server.certificate)
  writeFileSync(key, server.key)
  return { HANDSET_TLS_CERT: certificate, HANDSET_TLS_KEY: key }
}

test.each<[string, () => Variables]>([
  ['nothing', () => ({})],
  ['HANDSET_TLS=1', () => ({ HANDSET_TLS: '1' })],
  ['HANDSET_TLS=true', () => ({ HANDSET_TLS: 'true' })],
  ['HANDSET_TLS=false', () => ({ HANDSET_TLS: 'false' })],
  ['an empty HANDSET_TLS', () => ({ HANDSET_TLS: '' })],
  ['a certificate', certificateFiles],
  ['an empty certificate', () => ({ HANDSET_TLS_CERT: '', HANDSET_TLS_KEY: '' })],
  ['an empty HANDSET_HOST', () => ({ HANDSET_HOST: '' })],
  ['all addresses', () => ({ HANDSET_HOST: '0.0.0.0' })],
  // Only Linux has them all.
  [
    'addresses other than 127.0.0.1',
    () => (process.platform === 'linux' ? { HANDSET_HOST: '127.0.0.2, 127.0.0.3' } : {}),
  ],
])('[package.image] the health check of the image finds the bench that is served with %s', async (_, variables) => {
  const env = { ...variables(), HANDSET_PORT: String(await freePort()) }
  await serve(env)
  expect(await checkHealth(env)).toEqual({ status: 0, errors: '' })
})

test('[package.image] the health check of the image says where nothing answers', async () => {
  const port = await freePort()
  expect(await checkHealth({ HANDSET_PORT: String(port) })).toEqual({
    status: 1,
    errors: expect.stringContaining(`127.0.0.1:${port}`),
  })
})

test('[package.image] the health check of the image asks at 7420 when HANDSET_PORT is empty', async () => {
  // Something may listen there.
  expect((await checkHealth({ HANDSET_PORT: '' })).errors).toMatch(/^(|.* 127\.0\.0\.1:7420\n)$/)
})
