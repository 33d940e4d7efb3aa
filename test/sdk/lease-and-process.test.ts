import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectHandset, startHandset } from '../../src-main/sdk/index.ts'
import { ROOT } from '../support/imports.ts'
import { isLong } from '../support/parts.ts'

/** A lease ends with its process, and its process does not wait for it. */
const SDK = `import { connectHandset, startHandset } from ${JSON.stringify(`${ROOT}/src-main/sdk/index.ts`)}
const { CONTROL_URL: controlUrl, TOKEN: token, CA: ca } = process.env\n`

const run = (script: string, env: Readonly<Record<string, string | undefined>> = {}) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SDK + script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const WAYS = [isLong ? (['https', { tls: true }] as const) : (['http', {}] as const)]

describe.each(WAYS)('a process that uses a bench over %s', (_, options) => {
  const start = async () => {
    const handset = await startHandset(options)
    onTestFinished(() => handset.close())
    const { controlUrl, token, ca } = handset
    return { handset, env: { CONTROL_URL: controlUrl, TOKEN: token, CA: ca } }
  }

  test('ends though it holds a lease', async () => {
    const { env } = await start()
    const child = run(
      `const lease = await (await connectHandset({ controlUrl, token, ca })).lease()
      while ((await lease.client.call('leases.list')).leases[0]?.held !== true);
      console.log('held')`,
      env,
    )
    expect(await Promise.all([text(child.stdout), once(child, 'close')])).toEqual(['held\n', [0, null]])
  })

  test('holds its lease as long as it lives, whatever else it does', async () => {
    const { handset, env } = await start()
    const child = run(
      `const lease = await (await connectHandset({ controlUrl, token, ca })).lease({ ttlMs: 0 })
      for await (const line of process.stdin) console.log((await lease.phone()).id)`,
      env,
    )
    const held = async () => (await handset.client.call('leases.list')).leases.map((lease) => lease.held)
    await expect.poll(held).toEqual([true])
    const answers = createInterface(child.stdout)
    for (const line of ['one', 'two']) {
      child.stdin.write(`${line}\n`)
      await once(answers, 'line')
      expect(await held()).toEqual([true])
    }
    const after = await handset.lastSeq()
    child.stdin.end()
    await handset.waitFor({ kind: 'setting', subject: 'lease', change: 'expired' }, { after })
    expect(await handset.client.call('phones.list')).toEqual({ phones: [] })
  })
})

test('a process ends that closes the bench which it started, with a lease that did not end', async () => {
  const child = run(`const handset = await startHandset()
    await handset.lease()
    await handset.close()
    console.log('closed')`)
  expect(await Promise.all([text(child.stdout), once(child, 'close')])).toEqual(['closed\n', [0, null]])
})

test('close lets go of each lease, also in other workspaces, and the process goes on', async () => {
  const owner = await startHandset()
  onTestFinished(() => owner.close())
  const user = await connectHandset(owner)
  await user.lease()
  const { client } = await owner.workspace()
  const other = await connectHandset({ controlUrl: client.controlUrl, token: owner.token })
  await other.lease()
  const held = async () =>
    Promise.all([owner.client, client].map(async (each) => (await each.call('leases.list')).leases[0]?.held))
  await expect.poll(held).toEqual([true, true])
  await user.close()
  await other.close()
  await expect.poll(held).toEqual([false, false])
})
