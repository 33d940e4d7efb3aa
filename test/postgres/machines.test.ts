import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { type Child, createChild } from '../support/postgres/killed-child.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { type Processes, startProcesses } from '../support/postgres/start-processes.ts'
import { msgIdOf, rpClient } from '../support/service/rp-client.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { folderOfFile } from '../support/temporary-folder.ts'

const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
const ROOT = join(import.meta.dirname, '../..')

/** The next version, which has two columns more. */
const makeNewer = (copy: string): void => {
  for (const part of ['src-main', 'package.json']) cpSync(join(ROOT, part), join(copy, part), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const file = join(copy, 'src-main/service/store/postgres/migrations.ts')
  const more = '  `ALTER TABLE devices ADD COLUMN colour TEXT; ALTER TABLE messages ADD COLUMN mood TEXT`,\n]\n'
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\]\n$/, more))
}

describe.skipIf(noPostgres || noHaproxy)('a service process elsewhere', () => {
  const url = newSchemaUrl('&pool=4')
  let all: Processes
  const copy = folderOfFile()
  const children: Child[] = []
  beforeAll(async () => {
    all = await startProcesses(url, { services: 1 })
    makeNewer(copy)
  })
  afterAll(async () => {
    await Promise.all(children.map((child) => child.stop()))
    await all.stop()
  })

  const begin = async (name: string, more: Partial<Parameters<typeof createChild>[1]> = {}): Promise<number> => {
    const publicUrl = all.processes[0]?.baseUrl.replace('/fido', '') ?? ''
    const args = ['--role', 'service', '--port', '0', '--public-url', publicUrl]
    const child = createChild(name, { args, ...more, env: { HANDSET_STORE: url, ...more.env } })
    children.push(child)
    await child.start()
    return Number(child.ready().port)
  }
  const at = (port: number) => ({ port, prefix: '/fido', wall: realClock })

  test.skipIf(!existsSync(FAKETIME))('whose clock is an hour off takes the database’s time, unnoticed', async () => {
    const faked = (FAKETIME_OFFSET: string) => ({
      env: { LD_PRELOAD: FAKETIME, FAKETIME: FAKETIME_OFFSET, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    })
    const [early, late] = await Promise.all([begin('early', faked('-1h')), begin('late', faked('+1h'))])
    const phone = await softPhone(at(early))
    const [rpEarly, rpLate] = [rpClient(at(early), all.rp), rpClient(at(late), all.rp)]
    for (const [here, there] of [
      [rpEarly, rpLate],
      [rpLate, rpEarly],
    ] as const) {
      const made = await here.register('u1')
      expect(made.json.code).toBe(0)
      const left = made.json.data.expires_at * 1000 - realClock.now()
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThan(600_000)
      expect((await phone.register(msgIdOf(made))).json.data.status).toBe('success')
      expect((await there.registrationResult(msgIdOf(made))).json.data.status).toBe('success')
    }
  })

  test('of a newer version migrates under the others, which go on; older ones that begin after it are refused', async () => {
    const rp = rpClient(all.running, all.rp)
    const phone = await softPhone(all.running, { account: { name: 'P', phone: '13900000009' } })
    const codes = new Set<number>()
    let over = false
    const load = (async () => {
      for (let n = 0; !over; n++) {
        const made = await rp.register(`load ${n}`)
        codes.add(made.json.code)
        codes.add((await phone.register(msgIdOf(made))).json.code)
      }
    })()
    const newer = await begin('newer', { root: copy })
    const across = rpClient(at(newer), all.rp)
    const id = msgIdOf(await across.register('u2'))
    expect((await phone.register(id)).json.data.status).toBe('success')
    expect((await across.registrationResult(id)).json.data.status).toBe('success')
    over = true
    await load
    expect(codes).toEqual(new Set([0]))
    const older = await openStore({ kind: 'postgres', database: locationOf(url) })
    expect(older).toMatchObject({ ok: false, error: { code: 'postgres_newer' } })
  })
})
