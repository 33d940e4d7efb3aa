import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startHandset } from '../../src-main/sdk/index.ts'
import { ROOT } from '../support/imports.ts'

test('a bench that was started ends with close, and its address with it', async () => {
  vi.stubEnv('HANDSET_PORT', 'not a port')
  vi.stubEnv('HANDSET_NOT_AN_OPTION', '1')
  const token = 'correct-horse.battery_staple~'
  const handset = await startHandset({ accessKey: { id: 'shop', secret: 'a-secret-of-some-length' }, token })
  expect(handset.token).toBe(token)
  const { pid } = await handset.client.call('bench.info')
  const { rps } = await handset.client.call('rps.list')
  const { keys } = await handset.client.call('keys.list', { params: { rp: rps[0]?.id ?? '' } })
  expect(keys).toEqual([expect.objectContaining({ id: 'shop' })])
  await handset.close()
  expect(() => process.kill(pid, 0)).toThrow()
})

test('a bench that was started ends with its parent, even when that is killed', async () => {
  const parent = `import { startHandset } from ${JSON.stringify(`${ROOT}/src-main/sdk/index.ts`)}
    const handset = await startHandset()
    console.log((await handset.client.call('bench.info')).pid)
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = Number(await new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)))
  expect(process.kill(pid, 0)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => isThere(pid)).toBe(false)
})

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a start that fails says how it ended and what it wrote', async () => {
  const failed = await startHandset({ rpId: 'a..b' }).catch((error: unknown) => error)
  expect(failed).toMatchObject({ name: 'StartError', code: 2, output: expect.stringContaining('--rp-id') })
})

test('a start that takes too long is given up', async () => {
  await expect(startHandset({ readyTimeoutMs: 1 })).rejects.toMatchObject({ name: 'StartError', code: 'timeout' })
})
