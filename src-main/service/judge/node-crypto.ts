import { constants, createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { findAlgorithm } from '../../explain/algorithms.ts'
import type { HashName, JudgeCrypto, SignatureCheck } from '../../explain/crypto-port.ts'
import type { PublicKey } from '../../explain/public-key.ts'
import { encodeSpki } from '../../explain/spki.ts'
import type { Bytes } from '../../protocol/bytes.ts'
import { err, ok, type Result } from '../../protocol/result.ts'

const HASHES = {
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
} as const satisfies Record<HashName, string>

/** The judge's crypto on OpenSSL, which has every algorithm the judge knows. */
export const nodeCrypto: JudgeCrypto = {
  digest: (hash, data) => Uint8Array.from(createHash(HASHES[hash]).update(data).digest()),
  verify: (check) => verifyWithNode(check),
}

const verifyWithNode = ({ algorithm, key, data, signature }: SignatureCheck): Result<boolean, 'unsupported'> => {
  const known = findAlgorithm(algorithm)
  if (known === undefined || known.kty !== key.kty) return err('unsupported')
  const publicKey = importKey(key)
  // OpenSSL refuses to import what is no key of its type, such as a point off its curve: nothing verifies with that.
  if (publicKey === undefined) return ok(false)
  const hash = 'hash' in known ? HASHES[known.hash] : null
  const padding =
    known.kty === 'RSA' && known.padding === 'pss'
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {}
  return ok(checkOrFalse(() => verify(hash, data, { key: publicKey, ...padding }, signature)))
}

const importKey = (key: PublicKey): KeyObject | undefined => {
  const spki: Bytes = encodeSpki(key)
  try {
    return createPublicKey({ key: Buffer.from(spki.buffer, spki.byteOffset, spki.length), format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Node throws where OpenSSL has an error to tell, which for a public key and a signature means: it does not verify. */
const checkOrFalse = (check: () => boolean): boolean => {
  try {
    return check()
  } catch {
    return false
  }
}
