import { ok } from '../../src-main/core/protocol/result.ts'
import type { Phones } from '../../src-main/phones/phone/phones.ts'
import type { StoredWorkspace } from '../../src-main/phones/phone/storage/open-storage.ts'

/** What a restored snapshot does to the phones, without a service that replaces its rows: the key stays. */
export const replacePhones = (phones: Phones, stored: StoredWorkspace) =>
  phones.replace('main', stored, async ({ keep, switched, drop }) => {
    switched()
    drop('main')
    await keep('main')
    return ok(undefined)
  })
