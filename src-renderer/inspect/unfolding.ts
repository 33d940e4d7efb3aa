import { utf8 } from '../../src-main/core/protocol/bytes.ts'
import { inspect } from '../../src-main/views/inspect/inspect.ts'
import { findHashedRpId } from '../../src-main/views/inspect/whose-hash.ts'
import type { ValueInspection } from '../inspector/unfolding-context.ts'
import { pageNow } from '../ui/page-clock.ts'
import { FindingView, factText } from './finding-view.tsx'
import { pageCrypto, pageSigningCrypto } from './page-crypto.ts'

export const valueInspection: ValueInspection = {
  FindingView,
  lookAt: (text, knownRpIds) =>
    inspect(utf8(text), { knownRpIds }, { crypto: pageCrypto, signing: pageSigningCrypto, now: pageNow() }),
  nameHash: async (hash, knownRpIds) => {
    const found = await findHashedRpId(hash, { crypto: pageCrypto, given: { knownRpIds } })
    return found === undefined ? undefined : factText(found)
  },
}
