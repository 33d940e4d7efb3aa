import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { runAtOnce } from '../../../src-main/core/protocol/slices.ts'
import { createWalSync, noSync, type WalSync } from '../../../src-main/disk/log-sync.ts'
import {
  openPhonesDatabase,
  type PhoneStorage,
  type StoredWorkspace,
  sqliteStorage,
  withDelayedSaves,
} from '../../../src-main/phones/phone/storage/open-storage.ts'
import { parseStoredWorkspace } from '../../../src-main/phones/phone/stored-form.ts'
import { ALICE, type PhoneBench, startPhoneBench } from '../../support/phone-bench.ts'
import { phoneStorage } from '../../support/phone-storage.ts'
import { taken } from '../../support/taken.ts'
import { folderOfFile } from '../../support/temporary-folder.ts'

const counted = () => {
  const written: string[] = []
  const kept = phoneStorage()
  const storage: PhoneStorage = withDelayedSaves({
    ...kept,
    savePhone: (workspace, phone) => {
      written.push(`${workspace} ${phone.json}`)
      kept.savePhone(workspace, phone)
    },
  })
  return { written, storage }
}

it('a phone in memory is written when its workspace is read, as it is then', () => {
  const { written, storage } = counted()
  storage.savePhone('main', { id: 'a', json: '1' })
  storage.savePhone('main', { id: 'a', json: '2' })
  storage.savePhone('other', { id: 'b', json: '3' })
  expect(written).toEqual([])
  expect(storage.phones('main')).toEqual([{ id: 'a', json: '2' }])
  expect(storage.snapshot('main').phones).toHaveLength(1)
  expect(written).toEqual(['main 2'])
  expect(storage.keys()).toEqual(['main', 'other'])
})

it('a phone whose workspace is closed before anybody reads it is never written', () => {
  const { written, storage } = counted()
  storage.savePhone('main', { id: 'a', json: '1' })
  storage.forget('main')
  expect(storage.phones('main')).toEqual([])
  expect(written).toEqual([])
})

const folder = folderOfFile()

/** Copies the log when it was synced: no test can cut the power, but it can take what the disk is bound to hold. */
const watched = (sync: WalSync, onDisk: () => void): WalSync => ({ ...sync, synced: () => sync.synced().then(onDisk) })

/** How many keys of acknowledged registrations a loss of power takes. */
const lostWith = async (name: string, open: (log: string, onDisk: () => void) => WalSync): Promise<number> => {
  const file = join(folder, `${name}.db`)
  const db = taken(openPhonesDatabase(file))
  // What made the tables is on the disk; what comes after it is what is asked about.
  db.pragma('wal_checkpoint(TRUNCATE)')
  const synced = join(folder, `${name}.synced`)
  copyFileSync(`${file}-wal`, synced)
  const sync = open(`${file}-wal`, () => copyFileSync(`${file}-wal`, synced))
  const bench = await startPhoneBench({ storage: sqliteStorage(db, sync) })
  const phone = await bench.make({ storage: 'chip' })
  let lost = 0
  for (let n = 0; n < 3; n++) {
    const id = await bench.register(phone, 'chip')
    const copy = join(folder, `${name} ${n}.db`)
    copyFileSync(file, copy)
    copyFileSync(synced, `${copy}-wal`)
    const after = sqliteStorage(taken(openPhonesDatabase(copy)))
    const kept = after.chip({ workspace: 'main', phoneId: phone.id })
    if (!kept.some((one) => one.id === id)) lost++
    await after.close()
  }
  await bench.close()
  return lost
}

test('[phones.power] [store.power] a key whose credential the service has is on the disk, and would not be without the sync', async () => {
  expect(await lostWith('synced', (log, onDisk) => watched(createWalSync(log), onDisk))).toBe(0)
  expect(await lostWith('not synced', () => noSync)).toBe(3)
})

test('[phones.power] a wait where nothing was written since the last sync waits for none', async () => {
  const file = join(folder, 'shared.db')
  let syncs = 0
  const storage = sqliteStorage(
    taken(openPhonesDatabase(file)),
    watched(createWalSync(`${file}-wal`), () => void syncs++),
  )
  storage.savePhone('main', { id: 'phn_1', json: '{}' })
  await storage.synced()
  await storage.synced()
  expect(syncs).toBe(1)
  storage.savePhone('main', { id: 'phn_1', json: '{"name":"Alice"}' })
  await storage.synced()
  expect(syncs).toBe(2)
  await storage.close()
})

let bench: PhoneBench
let good: StoredWorkspace
beforeAll(async () => {
  bench = await startPhoneBench()
  const phone = await bench.make({ storage: 'chip', model: 'granite-one' })
  await bench.register(phone, 'chip')
  await bench.pushTo(phone)
  await bench.scan(phone, await bench.service.authentication())
  await bench.phones.arm(bench.ref(phone), { fault: 'push-lost', times: 2 })
  await bench.phones.create('main', { name: 'Phone B', behaviour: { answer: 'ignore' } })
  good = JSON.parse(JSON.stringify(await bench.phones.snapshot('main')))
})
afterAll(() => bench.close())

type Changed = Record<string, unknown>

const withPhone = (change: (phone: Changed) => Changed): unknown => ({
  ...good,
  phones: good.phones.map((phone, i) =>
    i > 0 ? phone : { ...phone, json: JSON.stringify(change(JSON.parse(phone.json) as Changed)) },
  ),
})

type Chip = StoredWorkspace['phones'][number]['chip']

const withChips = (change: (chip: Chip) => Chip): unknown => ({
  phones: good.phones.map((phone) => ({ ...phone, chip: change(phone.chip) })),
})

const withCredential = (change: Changed): unknown =>
  withChips((chip) =>
    chip.map((one) => {
      const kept = JSON.parse(one.json) as { readonly credential: Changed }
      return { ...one, json: JSON.stringify({ ...kept, credential: { ...kept.credential, ...change } }) }
    }),
  )

/** The phone has scanned a code, which asks it something. */
const promptOf = (phone: Changed): Changed => (phone.prompts as Changed[])[0] ?? {}
const asked = (phone: Changed) => ({ kind: 'request', prompt: promptOf(phone).prompt })
const planned = (phone: Changed, plan: Changed) => ({ ...phone, prompts: [{ ...promptOf(phone), planned: plan }] })
const prepared = (phone: Changed, answer: Changed) => ({ ...phone, prompts: [{ ...promptOf(phone), answer }] })

it('phones from a file are taken as a snapshot gave them', () => {
  expect(runAtOnce(parseStoredWorkspace(good))).toEqual({ ok: true, value: good })
  expect(good.phones[0]?.chip).toHaveLength(1)
  const rich = withPhone((phone) =>
    prepared(
      { ...phone, ...planned(phone, { answer: 'approve' }), screen: { ...asked(phone), note: 'offline' } },
      { ...{ kind: 'authentication', body: {}, credential_id: 'x', storage: 'chip' } },
    ),
  )
  expect(runAtOnce(parseStoredWorkspace(rich))).toMatchObject({ ok: true })
})

it.each<[string, () => unknown]>([
  ['nothing', () => null],
  ['a list', () => []],
  ['phones that are no list', () => ({ phones: {} })],
  ['a phone that is no JSON', () => ({ phones: [{ id: 'phn_1', json: '{', chip: [] }] })],
  ['a phone without a chip', () => ({ phones: [{ ...good.phones[0], chip: undefined }] })],
  ['the same phone twice', () => ({ phones: [good.phones[0], good.phones[0]] })],
  ['the same credential twice in a chip', () => withChips((chip) => [...chip, ...chip])],
  ['a credential under another id', () => withChips((chip) => chip.map((one) => ({ ...one, id: 'x' })))],
  ['a phone under another id', () => ({ phones: [{ ...good.phones[0], id: 'phn_other' }] })],
  ['makers that are none', () => ({ ...good, makers: '{}' })],
  ['an unknown model', () => withPhone((phone) => ({ ...phone, model: 'brick' }))],
  ['a secret of another length', () => withPhone((phone) => ({ ...phone, account: { ...ALICE, secret: 'AAAA' } }))],
  ['a token that fits no header', () => withPhone((phone) => ({ ...phone, device: { id: 'dev_1', token: 'a\nb' } }))],
  ['a behaviour that is none', () => withPhone((phone) => ({ ...phone, behaviour: { answer: 'perhaps' } }))],
  ['a screen that is none', () => withPhone((phone) => ({ ...phone, screen: { kind: 'constructor' } }))],
  ['a note that is none', () => withPhone((phone) => ({ ...phone, screen: { ...asked(phone), note: 5 } }))],
  ['a planned answer that is none', () => withPhone((phone) => planned(phone, { answer: 'perhaps' }))],
  ['an answer without a body', () => withPhone((phone) => prepared(phone, { credential_id: 'x' }))],
  ['an extension that is none', () => withCredential({ extensions: { credProtect: 9 } })],
  ['a request without a prompt', () => withPhone((phone) => ({ ...phone, screen: { kind: 'request' } }))],
  ['a prompt that is none', () => withPhone((phone) => ({ ...phone, prompts: [{}] }))],
  ['a notification that is none', () => withPhone((phone) => ({ ...phone, notifications: [{}] }))],
  ['an event id that fits no header', () => withPhone((phone) => ({ ...phone, last_event_id: '\u0000' }))],
  ['a credential without a key', () => withCredential({ privateKey: null })],
  ['a credential without an id', () => withCredential({ id: '?' })],
])('phones from a file are refused with %s', (_, input) => {
  expect(runAtOnce(parseStoredWorkspace(input()))).toMatchObject({
    ok: false,
    error: { params: { field: expect.stringMatching(/^phones/) } },
  })
})
