import type Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PhoneState } from '../../../src-main/phones/phone/phone-state.ts'
import { openPhonesDatabase, sqliteStorage } from '../../../src-main/phones/phone/storage/open-storage.ts'
import { type PhoneBench, refusedAs, shows, startPhoneBench } from '../../support/phone-bench.ts'

let db: Database.Database
let bench: PhoneBench
let phone: PhoneState
beforeEach(async () => {
  const opened = openPhonesDatabase(':memory:')
  if (!opened.ok) throw new Error(opened.error.code)
  db = opened.value
  bench = await startPhoneBench({ storage: sqliteStorage(db) })
  phone = await bench.make({ storage: 'chip' })
  await bench.register(phone, 'chip')
})
afterEach(async () => {
  disk('ok')
  await bench.close()
})

/** From here on the database itself refuses every write, as it does on a disk that is full or read-only. */
const disk = (state: 'ok' | 'refuses'): void => {
  db.pragma(`query_only = ${state === 'refuses' ? 'ON' : 'OFF'}`)
}

it('[disk.full] a phone whose disk refuses takes a push inside of its stream, and one that expires inside of its alarm', async () => {
  disk('refuses')
  const message = await bench.pushTo(phone)
  await bench.clock.set({ now: message.expires_at * 1000 + 1 })
  expect(bench.stateOf(phone.id).notifications).toEqual([])
})

it('[disk.full] a phone whose disk refuses says that it was not saved, and is saved with the next change', async () => {
  disk('refuses')
  expect(await bench.phones.patch({ ...bench.ref(phone) }, { name: 'Renamed' })).toMatchObject(refusedAs('not_saved'))
  disk('ok')
  expect(await bench.phones.goHome(bench.ref(phone))).toMatchObject({ ok: true })
  await bench.restart()
  expect(bench.stateOf(phone.id).name).toBe('Renamed')
})

it('[disk.full] a phone whose disk refuses is saved at the end if the disk takes it then', async () => {
  disk('refuses')
  await bench.phones.patch(bench.ref(phone), { name: 'Renamed' })
  disk('ok')
  await bench.restart()
  expect(bench.stateOf(phone.id).name).toBe('Renamed')
})

it('[disk.full] a phone whose disk refuses sends no answer for a key that is not kept, and can try again', async () => {
  const message = await bench.scanned(phone, 'registration')
  const asked = bench.asked(phone)
  disk('refuses')
  expect(await bench.phones.approve(asked, { storage: 'chip' })).toMatchObject(refusedAs('not_saved'))
  expect(message.state).toBe('bind')
  expect(bench.stateOf(phone.id).credentials_total).toBe(1)
  disk('ok')
  expect(await bench.phones.approve(asked, { storage: 'chip' })).toMatchObject(shows({ screen: { kind: 'success' } }))
  expect(bench.stateOf(phone.id).credentials_total).toBe(2)
})

it('[disk.full] a phone whose disk refuses is not made, not removed, not wiped and forgets no credential', async () => {
  const credential_id = bench.stateOf(phone.id).credentials[0]?.id ?? ''
  disk('refuses')
  const refused = refusedAs('not_saved')
  expect(await bench.phones.create('main', { name: 'Another' })).toMatchObject(refused)
  expect(await bench.phones.forgetCredential({ ...bench.ref(phone), credential_id })).toMatchObject(refused)
  expect(await bench.phones.wipe(bench.ref(phone))).toMatchObject(refused)
  expect(await bench.phones.remove(bench.ref(phone))).toMatchObject(refused)
  expect(bench.phones.list('main')).toHaveLength(1)
  expect(bench.stateOf(phone.id).credentials_total).toBe(1)
})
