import { algorithmName } from '../../core/judge/algorithms.ts'
import { decodeAuthenticatorData } from '../../core/judge/authenticator-data.ts'
import { formatUuid } from '../../core/judge/uuid.ts'
import { type Bytes, toHex } from '../../core/protocol/bytes.ts'
import type { Bench, Fact } from './inspection.ts'
import { whoseHash } from './whose-hash.ts'

/** The fields of authenticator data, as a person reads them. */
export const authenticatorDataFacts = async (bytes: Bytes, bench: Bench): Promise<readonly Fact[]> => {
  const { value } = decodeAuthenticatorData(bytes)
  if (value === undefined) return []
  const { flags, attested } = value
  const set = [
    ...(flags.userPresent ? (['user_present'] as const) : []),
    ...(flags.userVerified ? (['user_verified'] as const) : []),
    ...(flags.backupEligible ? ([flags.backupState ? 'backed_up' : 'may_be_backed_up'] as const) : []),
  ]
  return [
    ['rpIdHash', (await whoseHash(value.rpIdHash, bench)) ?? toHex(value.rpIdHash)],
    ['flags', { code: 'flags', params: { set } }],
    ['signCount', String(value.signCount)],
    ...(attested === undefined ? [] : ([['aaguid', formatUuid(attested.aaguid)]] as const)),
    ...(attested?.key === undefined ? [] : ([['algorithm', algorithmName(attested.key.algorithm)]] as const)),
  ]
}
