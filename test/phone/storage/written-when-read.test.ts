import { expect, it } from 'vitest'
import type { PhoneStorage } from '../../../src-main/phone/storage/phone-storage.ts'
import { writtenWhenRead } from '../../../src-main/phone/storage/written-when-read.ts'
import { phoneStorage } from '../../support/phone-storage.ts'

const counted = () => {
  const written: string[] = []
  const kept = phoneStorage()
  const storage: PhoneStorage = writtenWhenRead({
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
