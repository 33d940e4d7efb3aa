import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPhoneStorage, type PhoneStorage } from '../../../../src-main/phones/phone/storage/open-storage.ts'
import { phoneStorage } from '../../../support/phone-storage.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const owner = { workspace: 'main', phoneId: 'phn_1' }
const document = (id: string, value: unknown = id) => ({ id, json: JSON.stringify(value) })

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

describe.each([
  ['in memory', () => phoneStorage()],
  ['in a file', () => phoneStorage(join(folder, 'phones.db'))],
])('phone storage %s', (_, openStorage) => {
  let storage: PhoneStorage
  beforeEach(() => {
    storage = openStorage()
    storage.savePhone('main', document('phn_2'))
    storage.savePhone('main', document('phn_1'))
  })
  afterEach(() => storage.close())

  it('keeps phones in the order in which they came, also when they change', () => {
    storage.savePhone('main', document('phn_2', 'changed'))
    expect(storage.phones('main')).toEqual([document('phn_2', 'changed'), document('phn_1')])
  })

  it('knows nothing of another workspace', () => {
    expect(storage.phones('other')).toEqual([])
    storage.saveInChip(owner, document('c1'))
    expect(storage.chip({ ...owner, workspace: 'other' })).toEqual([])
    storage.forget('other')
    expect(storage.phones('main')).toHaveLength(2)
  })

  it('keeps, changes and removes credentials in a chip', () => {
    storage.saveInChip(owner, document('c1'))
    storage.saveInChip(owner, document('c2'))
    storage.saveInChip(owner, document('c1', 'changed'))
    expect(storage.chip(owner)).toEqual([document('c1', 'changed'), document('c2')])
    expect(storage.removeFromChip(owner, 'c1')).toBe(true)
    expect(storage.removeFromChip(owner, 'c1')).toBe(false)
    expect(storage.chip(owner)).toEqual([document('c2')])
    expect(storage.chip({ ...owner, phoneId: 'phn_2' })).toEqual([])
  })

  it('takes the chip away with its phone, and lets nothing into a chip that is gone', () => {
    storage.saveInChip(owner, document('c1'))
    storage.removePhone('main', 'phn_1')
    storage.saveInChip(owner, document('c2'))
    storage.savePhone('main', document('phn_1'))
    expect(storage.chip(owner)).toEqual([])
  })

  it('keeps what was a workspace’s under another key, and nothing of it anywhere else', async () => {
    storage.saveInChip(owner, document('c1'))
    storage.saveMakers('main', '{"createdAt":1}')
    storage.savePhone('other', document('phn_9'))
    const before = JSON.parse(JSON.stringify(storage.snapshot('main')))
    storage.removePhone('main', 'phn_2')
    storage.saveInChip(owner, document('c2'))
    storage.saveMakers('main', '{"createdAt":2}')
    const after = storage.snapshot('main')
    await storage.keep('#1', before)
    expect(storage.snapshot('#1')).toEqual(before)
    expect(storage.makers('#1')).toBe('{"createdAt":1}')
    expect(storage.snapshot('main')).toEqual(after)
    expect(storage.phones('other')).toHaveLength(1)
    expect(storage.keys()).toEqual(['#1', 'main', 'other'])
  })

  it('forgets a workspace', () => {
    storage.saveMakers('main', '{}')
    storage.forget('main')
    expect(storage.snapshot('main')).toEqual({ phones: [] })
  })

  it('keeps snapshots until they are dropped, also when the phones are forgotten', () => {
    const ref = { workspace: 'main', snapshot: 'snp_1' }
    const before = JSON.parse(JSON.stringify(storage.snapshot('main')))
    storage.keepSnapshot(ref, before)
    storage.keepSnapshot({ ...ref, snapshot: 'snp_2' }, { phones: [] })
    storage.keepSnapshot({ ...ref, workspace: 'other' }, { phones: [] })
    storage.forget('main')
    expect(storage.keptSnapshot(ref)).toEqual(before)
    storage.dropSnapshot(ref)
    expect(storage.keptSnapshot(ref)).toBeUndefined()
    expect(storage.keptSnapshot({ ...ref, snapshot: 'snp_2' })).toEqual({ phones: [] })
    storage.dropSnapshots('main')
    expect(storage.keptSnapshot({ ...ref, snapshot: 'snp_2' })).toBeUndefined()
    expect(storage.keptSnapshot({ ...ref, workspace: 'other' })).toEqual({ phones: [] })
  })
})

const file = (): string => join(folder, 'phones.db')

it('the phones’ database of a newer version is refused untouched', () => {
  const db = new Database(file())
  db.pragma('user_version = 99')
  db.close()
  const before = readFileSync(file())
  expect(openPhoneStorage(file())).toMatchObject({ ok: false, error: { code: 'phones_newer' } })
  expect(readFileSync(file()).equals(before)).toBe(true)
})

it('the phones’ database that is none, or a folder, is refused', () => {
  writeFileSync(file(), 'no database at all, but long enough to look at'.repeat(100))
  expect(openPhoneStorage(file())).toMatchObject({ ok: false, error: { code: 'phones_refused' } })
  rmSync(file())
  mkdirSync(file())
  expect(openPhoneStorage(file())).toMatchObject({ ok: false, error: { code: 'phones_refused' } })
})
