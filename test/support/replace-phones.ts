import type { Phones } from '../../src-main/phone/phones.ts'
import type { StoredWorkspace } from '../../src-main/phone/storage/phone-storage.ts'
import { ok } from '../../src-main/protocol/result.ts'

/** What a restored snapshot does to the phones, without a service that replaces its rows: the key stays. */
export const replacePhones = (phones: Phones, stored: StoredWorkspace) =>
  phones.replace('main', stored, async ({ keep, switched, drop }) => {
    switched()
    drop('main')
    await keep('main')
    return ok(undefined)
  })
