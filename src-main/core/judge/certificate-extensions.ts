import type { Bytes } from '../protocol/bytes.ts'
import { type Certificate, EXTENSION } from './certificate.ts'
import {
  booleanOf,
  type DerNode,
  decodeDer,
  isContext,
  isUniversal,
  namedBits,
  octetStringBytes,
  oidOf,
  sequenceOf,
  smallInteger,
  TAG,
} from './der.ts'

/** The value of an extension: undefined when it is absent, `malformed` when it cannot be read. */
export type Read<T> = T | 'malformed' | undefined

export const readExtension = <T>(
  certificate: Certificate,
  id: string,
  decode: (root: DerNode) => T | undefined,
): Read<T> => {
  const extension = certificate.extensions.get(id)
  if (extension === undefined) return undefined
  const der = decodeDer(extension.value)
  return (der.ok ? decode(der.value) : undefined) ?? 'malformed'
}

export type BasicConstraints = { readonly ca: boolean; readonly pathLength?: number }

/** RFC 5280 §4.2.1.9. */
export const basicConstraints = (certificate: Certificate): Read<BasicConstraints> =>
  readExtension(certificate, EXTENSION.basicConstraints, (root) => {
    const parts = [...(sequenceOf(root) ?? [])]
    if (sequenceOf(root) === undefined) return undefined
    const ca = isUniversal(parts[0], TAG.boolean) ? booleanOf(parts.shift()) : false
    const pathLength = parts.length > 0 ? smallInteger(parts.shift()) : undefined
    if (ca === undefined || parts.length > 0 || (pathLength !== undefined && pathLength < 0)) return undefined
    return { ca, ...(pathLength !== undefined && { pathLength }) }
  })

/** RFC 5280 §4.2.1.3: whether the key may sign certificates. */
export const mayCertify = (certificate: Certificate): Read<boolean> =>
  readExtension(certificate, EXTENSION.keyUsage, (root) => {
    const bits = namedBits(root)
    return bits && ((bits[0] ?? 0) & 0x04) !== 0
  })

/** RFC 5280 §4.2.1.12. */
export const extendedKeyUsage = (certificate: Certificate): Read<readonly string[]> =>
  readExtension(certificate, EXTENSION.extendedKeyUsage, (root) => {
    const purposes = sequenceOf(root)?.map(oidOf)
    return purposes?.every((purpose) => purpose !== undefined) ? purposes : undefined
  })

/** RFC 5280 §4.2.1.2. */
export const subjectKeyIdentifier = (certificate: Certificate): Read<Bytes> =>
  readExtension(certificate, EXTENSION.subjectKeyIdentifier, octetStringBytes)

/** RFC 5280 §4.2.1.1; `none` when the extension does not name a key. */
export const authorityKeyIdentifier = (certificate: Certificate): Read<Bytes | 'none'> =>
  readExtension(certificate, EXTENSION.authorityKeyIdentifier, (root) => {
    const parts = sequenceOf(root)
    return parts && (parts.find((part) => isContext(part, 0))?.content ?? 'none')
  })

/** WebAuthn §8.2.1: the AAGUID is wrapped in a second OCTET STRING. */
export const fidoAaguid = (certificate: Certificate): Read<Bytes> =>
  readExtension(certificate, EXTENSION.fidoAaguid, (root) => {
    const aaguid = octetStringBytes(root)
    return aaguid?.length === 16 ? aaguid : undefined
  })
