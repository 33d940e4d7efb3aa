import type { FactValue } from '../../core/contract/inspection.ts'
import { type Bytes, equalBytes, fromUtf8, utf8 } from '../../core/protocol/bytes.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { InspectContext } from './inspection.ts'

/** The RP ID with this hash, among known ones: from the given input, from options and origins, and usual ones. */
export const findHashedRpId = async (
  hash: Bytes,
  { crypto, given }: Pick<InspectContext, 'crypto' | 'given'>,
): Promise<FactValue | undefined> => {
  for (const id of candidates(given)) {
    const own = await crypto.digest('SHA-256', utf8(id))
    if (equalBytes(own, hash)) return { code: 'sha256_of', params: { text: id } }
  }
  return undefined
}

const candidates = ({ rpId, knownRpIds = [], options, origins = [] }: InspectContext['given']): ReadonlySet<string> =>
  new Set([
    ...(rpId === undefined ? [] : [rpId]),
    ...knownRpIds,
    ...rpIdsIn(options),
    ...origins.flatMap(hostsIn),
    ...['localhost', 'example.com', 'example.org', 'webauthn.io', 'shop.example'],
  ])

const rpIdsIn = (options: unknown): readonly string[] => {
  const own = isObject(options) && isObject(options.publicKey) ? options.publicKey : options
  if (!isObject(own)) return []
  const ids = [own.rpId, isObject(own.rp) ? own.rp.id : undefined]
  return ids.filter((id) => typeof id === 'string')
}

const hostsIn = (origin: string): readonly string[] => {
  const labels = URL.parse(origin)?.hostname.split('.') ?? []
  // A name has 127 labels at most (RFC 1035 section 2.3.4).
  if (labels.length > 127) return []
  return labels.map((_, i) => labels.slice(i).join('.'))
}

export const originsIn = (clientData: Bytes | undefined): readonly string[] => {
  const text = clientData === undefined ? undefined : fromUtf8(clientData)
  const found = text === undefined ? undefined : /"origin"\s*:\s*"([^"]{1,300})"/.exec(text)?.[1]
  return found === undefined ? [] : [found]
}
