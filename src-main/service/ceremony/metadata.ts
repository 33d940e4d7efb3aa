import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import type { ModelMetadata } from '../../core/judge/ceremony-case.ts'
import { type Bytes, fromBase64url, fromUtf8, utf8 } from '../../core/protocol/bytes.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'

type Trust = { readonly roots: readonly Bytes[]; readonly now: Millis }

/** FIDO Metadata Service v3.1 §3.1.7: a JWT that the first certificate of its x5c signs. */
export const readMetadata = (text: string, trust: Trust): Result<ModelMetadata, string> => {
  const parts = text.split('.')
  const [header, payload, signature] = parts.map((part) => fromBase64url(part))
  if (parts.length !== 3 || !header?.ok || !payload?.ok || !signature?.ok) {
    return err('it must be a JWT, three parts in base64url with dots between them.')
  }
  const head = parseJsonOrNothing(fromUtf8(header.value) ?? '')
  const body = parseJsonOrNothing(fromUtf8(payload.value) ?? '')
  if (!isObject(head) || !isObject(body)) return err('the first two parts of the JWT must be JSON objects.')
  const key = signingKey(head, trust)
  if (!key.ok) return key
  const signed = utf8(text.slice(0, text.lastIndexOf('.')))
  // RFC 7518 §3.4: an ECDSA signature in a JWT is R and S, not DER.
  if (!verify('sha256', signed, { key: key.value, dsaEncoding: 'ieee-p1363' }, signature.value)) {
    return err('its signature is wrong: it was changed after it was signed.')
  }
  return readEntries(body.entries)
}

const isKeyFor = (
  { asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject,
  algorithm: unknown,
): boolean => (algorithm === 'RS256' ? type === 'rsa' : algorithm === 'ES256' && details?.namedCurve === 'prime256v1')

const signingKey = ({ alg, x5c }: JsonObject, { roots, now }: Trust): Result<KeyObject, string> => {
  const chain = Array.isArray(x5c) ? x5c.map(certificateIn) : []
  const [leaf] = chain
  if (leaf === undefined || !chain.every((each) => each !== undefined)) {
    return err('its header must have the certificates of its signer as x5c, in base64.')
  }
  if (!isKeyFor(leaf.publicKey, alg)) {
    return err('its header must have alg RS256 or ES256, and the key of its first certificate be of that kind.')
  }
  const isOld = (each: X509Certificate): boolean => now < Date.parse(each.validFrom) || now > Date.parse(each.validTo)
  const anchors = roots.map((root) => new X509Certificate(root))
  // Valid roots first: an expired one may have issued the same certificates.
  const valid = anchors.filter((root) => !isOld(root))
  const path = trustedPath(chain, valid) ?? trustedPath(chain, anchors)
  if (path === undefined) return err('the certificates of its signer do not lead to one of --mds-root.')
  const old = path.find(isOld)
  return old === undefined
    ? ok(leaf.publicKey)
    : err(`a certificate of its signer is valid from ${old.validFrom} to ${old.validTo}, not today.`)
}

/**
 * Ends at the first certificate that one of the roots issued, and ignores the rest: since August 2026, the chain of
 * FIDO's list ends with root R46 signed by R3, for clients that trust only R3.
 */
const trustedPath = (chain: readonly X509Certificate[], roots: readonly X509Certificate[]) => {
  for (const [i, each] of chain.entries()) {
    const anchor = roots.find((root) => isIssuedBy(each, root))
    if (anchor !== undefined) return [...chain.slice(0, i + 1), anchor]
    const next = chain[i + 1]
    if (next === undefined || !isIssuedBy(each, next)) return undefined
  }
  return undefined
}

const certificateIn = (text: unknown): X509Certificate | undefined =>
  orNothing(() => new X509Certificate(Buffer.from(String(text), 'base64')))

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.raw.equals(issuer.raw) ||
  (issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))

/** Metadata Service §3.1.4. A later update does not undo a report: the list does not say which devices are updated. */
const DISTRUSTED: ReadonlySet<unknown> = new Set([
  'REVOKED',
  'USER_VERIFICATION_BYPASS',
  'ATTESTATION_KEY_COMPROMISE',
  'USER_KEY_REMOTE_COMPROMISE',
  'USER_KEY_PHYSICAL_COMPROMISE',
])

const readEntries = (entries: unknown): Result<ModelMetadata, string> => {
  if (!Array.isArray(entries)) return err('its payload must have a list of entries.')
  const models = new Map<string, { roots: readonly Bytes[]; reports: readonly { status: string; from: Millis }[] }>()
  for (const [i, entry] of entries.entries()) {
    const { aaguid, metadataStatement, statusReports } = isObject(entry) ? entry : {}
    // Entries of UAF and U2F models have no AAGUID.
    if (isObject(entry) && aaguid === undefined) continue
    const certificates = isObject(metadataStatement) ? metadataStatement.attestationRootCertificates : []
    const reports = readReports(statusReports)
    if (typeof aaguid !== 'string' || !AAGUID.test(aaguid)) return err(`entries[${i}].aaguid must be a UUID.`)
    if (!isTexts(certificates)) {
      return err(`entries[${i}].metadataStatement.attestationRootCertificates must be a list of texts.`)
    }
    if (reports === undefined) {
      return err(`entries[${i}].statusReports must be a list, each with a status and a date such as 2026-01-31.`)
    }
    // FIDO's lists also have PEM in base64, and two certificates in one text.
    const roots = certificates.flatMap((text) => {
      const certificate = certificateIn(text)
      return certificate === undefined ? [] : [new Uint8Array(certificate.raw)]
    })
    models.set(aaguid.toLowerCase(), { roots, reports })
  }
  return ok(models)
}

const AAGUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Only reports of DISTRUSTED; undefined if one cannot be read, since a revocation must not be missed. */
const readReports = (value: unknown): readonly { status: string; from: Millis }[] | undefined => {
  if (!Array.isArray(value)) return undefined
  const reports = value.map((each) => {
    const { status, effectiveDate } = isObject(each) ? each : {}
    const from = effectiveDate === undefined ? 0 : Date.parse(String(effectiveDate))
    return typeof status === 'string' && !Number.isNaN(from) ? { status, from } : undefined
  })
  return reports.every((each) => each !== undefined)
    ? reports.filter(({ status }) => DISTRUSTED.has(status))
    : undefined
}
