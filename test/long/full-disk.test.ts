import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ControlClient, createControlClient } from '../../src-main/sdk/client.ts'
import { type Served, serve } from '../robustness/served.ts'
import { codeOf } from '../support/bench.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const folder = folderOfFile()

/** A disk of its own, small enough to be filled: only root may mount one. */
const mountDisk = (at: string): boolean =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', at]).status === 0

let disk: string
let mounted: boolean
let served: Served | undefined
beforeEach(() => {
  disk = mkdtempSync(join(folder, 'disk-'))
  mounted = mountDisk(disk)
})
afterEach(async () => {
  await served?.kill()
  if (mounted) spawnSync('umount', [disk])
})

const fill = (): void => {
  const file = openSync(join(disk, 'filler'), 'w')
  try {
    for (const size of [65_536, 4096, 1]) {
      for (let left = 200; left > 0; left--) if (writeSync(file, Buffer.alloc(size)) < size) break
    }
  } catch (reason) {
    if ((reason as NodeJS.ErrnoException).code !== 'ENOSPC') throw reason
  } finally {
    closeSync(file)
  }
}

const start = async (): Promise<ControlClient> => {
  served = await serve({ args: ['--data', join(disk, 'data')] })
  return createControlClient({ controlUrl: `http://localhost:${served.port}/control/v1`, token: served.token })
}

test('[disk.full] handset serve on a disk that is full lives through pushes that come and expire, keeps what it refused out of effect, and works again with room', async ({
  skip,
}) => {
  if (!mounted) skip('only root can mount a small disk')
  const client = await start()
  const { rps } = await client.call('rps.list')
  const rp = rps[0]?.id ?? ''
  const phone = await client.call('phones.create', {
    body: { name: 'A', account: { name: 'A', phone: '13812345678' } },
  })
  const user = { user_id: 'u', username: 'u', poll: false } as const
  const made = await client.call('simulator.register', { params: { rp }, body: user })
  await client.call('phones.scan', { params: { id: phone.id }, body: { url: made.url } })
  await client.call('phones.approve', { params: { id: phone.id }, body: {} })
  // By the workspace's clock a push that came before the disk was full expires while it is, in about four seconds.
  await client.call('profile.patch', { body: { message_ttl_s: 600 } })
  await client.call('clock.put', { body: { speed: 150 } })
  const { last_seq } = await client.call('overview')
  const push = await client.call('simulator.sign-in', { params: { rp }, body: { ...user, method: 'push' } })
  const match = { kind: 'phone', change: 'pushed', phone_id: phone.id }
  await client.call('events.wait', { body: { match, after: last_seq, timeout_ms: 30_000 } })
  fill()
  // Until nothing is left of what the databases had in hand.
  let stored = 0
  while (
    (await codeOf(client.call('phones.patch', { params: { id: phone.id }, body: { name: `A${stored}` } }))) !== 40906
  ) {
    if (++stored > 500) throw new Error('the disk does not fill')
  }
  while ((await codeOf(client.call('profile.patch', { body: { user_id_max: 200 + stored } }))) !== 50701) {
    if (++stored > 500) throw new Error('the disk does not fill')
  }
  const { profile } = await client.call('profile.get')
  expect(await codeOf(client.call('profile.patch', { body: { user_id_max: 99 } }))).toBe(50701)
  expect((await client.call('profile.get')).profile).toEqual(profile)
  expect(
    await codeOf(client.call('simulator.sign-in', { params: { rp }, body: { ...user, method: 'push' } })),
  ).toBeGreaterThan(40000)
  const clock = await client.call('clock.get')
  expect(await codeOf(client.call('clock.put', { body: { speed: 2 } }))).toBe(50701)
  expect(served?.stderr()).not.toContain('    at ')
  expect((await client.call('clock.get')).speed).toBe(clock.speed)
  const expiry = { kind: 'phone', change: 'changed', phone_id: phone.id, phone: { notifications: [] } }
  await client.call('events.wait', { body: { match: expiry, after: last_seq, timeout_ms: 60_000 } })
  expect(served?.child.exitCode).toBeNull()

  const seen = await client.call('overview')
  unlinkSync(join(disk, 'filler'))
  // The expiry is tried again by itself.
  const timeout = { kind: 'message', msg_id: push.msg_id, to: 'timeout' }
  await client.call('events.wait', { body: { match: timeout, after: seen.first_seq, timeout_ms: 60_000 } })
  await client.call('profile.patch', { body: { user_id_max: 99 } })
  await client.call('phones.patch', { params: { id: phone.id }, body: { name: 'After' } })
  expect(await served?.stop()).toBe(0)
  const again = await start()
  expect((await again.call('profile.get')).profile).toMatchObject({ user_id_max: 99 })
  expect((await again.call('phones.list')).phones.map(({ name }) => name)).toEqual(['After'])
})
