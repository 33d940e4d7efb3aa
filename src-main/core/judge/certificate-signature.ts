import { findAlgorithm, type HashName, type PublicKey } from './algorithms.ts'
import type { Certificate } from './certificate.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import { type DerNode, isContext, isUniversal, oidText, sequenceItems, smallInteger, TAG } from './der.ts'
import { type SignatureVerdict, verifySignature } from './signature.ts'

/** The COSE algorithms of certificate signatures (RFC 5758, RFC 4055, RFC 8410, RFC 9881). */
const BY_OID: Readonly<Record<string, number>> = {
  '1.2.840.10045.4.3.2': -7,
  '1.2.840.10045.4.3.3': -35,
  '1.2.840.10045.4.3.4': -36,
  '1.2.840.113549.1.1.5': -65535,
  '1.2.840.113549.1.1.11': -257,
  '1.2.840.113549.1.1.12': -258,
  '1.2.840.113549.1.1.13': -259,
  '1.3.101.112': -8,
  '1.3.101.113': -53,
  '2.16.840.1.101.3.4.3.17': -48,
  '2.16.840.1.101.3.4.3.18': -49,
  '2.16.840.1.101.3.4.3.19': -50,
}

const RSA_PSS = '1.2.840.113549.1.1.10'
const MGF1 = '1.2.840.113549.1.1.8'

const PSS_HASHES: Readonly<Record<string, { hash: HashName; algorithm: number; salt: number }>> = {
  '2.16.840.1.101.3.4.2.1': { hash: 'SHA-256', algorithm: -37, salt: 32 },
  '2.16.840.1.101.3.4.2.2': { hash: 'SHA-384', algorithm: -38, salt: 48 },
  '2.16.840.1.101.3.4.2.3': { hash: 'SHA-512', algorithm: -39, salt: 64 },
}

/** `unsupported` if its algorithm is not known. */
export const verifyCertificate = async (
  certificate: Certificate,
  issuer: PublicKey,
  crypto: JudgeCrypto,
): Promise<SignatureVerdict> => {
  const algorithm = algorithmOf(certificate.signatureAlgorithm)
  if (algorithm === undefined) return { outcome: 'unsupported' }
  if (findAlgorithm(algorithm)?.kty !== issuer.kty) return { outcome: 'invalid' }
  const { signedBytes: data, signature } = certificate
  return verifySignature({ algorithm, key: issuer, data, signature }, crypto)
}

const algorithmOf = (identifier: DerNode): number | undefined => {
  const [oid, parameters, ...rest] = sequenceItems(identifier) ?? []
  const name = oidText(oid)
  if (name === undefined || rest.length > 0) return undefined
  if (name === RSA_PSS) return pssAlgorithm(parameters)
  const known = BY_OID[name]
  // RFC 4055 §5: RSA has NULL or no parameters; RFC 5758 §3.2, RFC 8410 §3: the others have none.
  const isRsa = name.startsWith('1.2.840.113549.')
  return parameters === undefined || (isRsa && isUniversal(parameters, TAG.null)) ? known : undefined
}

/** RFC 4055 §3.1, limited to what COSE allows: one hash for message and mask, and a salt of its length. */
const pssAlgorithm = (parameters: DerNode | undefined): number | undefined => {
  const field = (tag: number) => sequenceItems(parameters)?.find((part) => isContext(part, tag))?.children[0]
  const [mask, maskHash] = sequenceItems(field(1)) ?? []
  const hash = hashOf(field(0))
  const known = PSS_HASHES[hash ?? '']
  if (known === undefined || oidText(mask) !== MGF1 || hashOf(maskHash) !== hash) return undefined
  return smallInteger(field(2)) === known.salt ? known.algorithm : undefined
}

/** RFC 4055 §2.1: the parameters of a hash are NULL or left out, and both mean the same. */
const hashOf = (identifier: DerNode | undefined): string | undefined => {
  const [name, parameters, ...rest] = sequenceItems(identifier) ?? []
  return rest.length === 0 && (parameters === undefined || isUniversal(parameters, TAG.null))
    ? oidText(name)
    : undefined
}
