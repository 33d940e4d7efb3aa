import { inspect } from '../../src-main/inspect/inspect.ts'
import type { Inspection } from '../../src-main/inspect/inspection.ts'
import { whoseHash } from '../../src-main/inspect/whose-hash.ts'
import { type Bytes, utf8 } from '../../src-main/protocol/bytes.ts'
import { pageNow } from '../ui/page-clock.ts'
import { FindingView, factText } from './finding-view.tsx'
import { pageCrypto, pageSigningCrypto } from './page-crypto.ts'

export type Unfolding = {
  readonly FindingView: typeof FindingView
  /** What a value within a message is. */
  readonly lookAt: (text: string, knownRpIds: readonly string[]) => Promise<Inspection>
  /** `SHA-256 of "localhost"`, where it is that of an RP ID that is known. */
  readonly nameHash: (hash: Bytes, knownRpIds: readonly string[]) => Promise<string | undefined>
}

export const unfolding: Unfolding = {
  FindingView,
  lookAt: (text, knownRpIds) =>
    inspect(utf8(text), { knownRpIds }, { crypto: pageCrypto, signing: pageSigningCrypto, now: pageNow() }),
  nameHash: async (hash, knownRpIds) => {
    const found = await whoseHash(hash, { crypto: pageCrypto, given: { knownRpIds } })
    return found === undefined ? undefined : factText(found)
  },
}
