import { openPhoneStorage, type PhoneStorage } from '../../src-main/phones/phone/storage/open-storage.ts'

/** In memory unless a file is named. */
export const phoneStorage = (file = ':memory:'): PhoneStorage => {
  const storage = openPhoneStorage(file)
  if (!storage.ok) throw new Error(storage.error.code)
  return storage.value
}
