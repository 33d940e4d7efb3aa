import { type Bytes, concat, toBase64url } from '../../../core/protocol/bytes.ts'
import { DAY_MS } from '../../../core/protocol/time.ts'
import {
  type AttestationAuthority,
  aaguidExtension,
  basicConstraints,
  type CertificateDraft,
  type CertificateExtension,
  certificateBytes,
  draftIssuer,
  issueCertificate,
  keyUsage,
  labelledRandom,
  makeUntrustedMakers,
  type Name,
} from '../attestation/attestation-authority.ts'
import type { CertificateSigningDraft, SeamContext } from '../seams.ts'
import { foreignKey } from './another-key.ts'
import { changing, type FaultTable, faultsAt } from './fault.ts'

export const changeLeaf = (change: (draft: CertificateDraft, context: SeamContext) => Partial<CertificateDraft>) =>
  changing('attestationCertificate')(({ draft }, context) => ({ draft: { ...draft, ...change(draft, context) } }))

const chain = (change: (chain: readonly Bytes[], context: SeamContext) => readonly Bytes[]) => ({
  attestationChain: change,
})

const subject = (attribute: Name[number][0], text: string | undefined) =>
  changeLeaf(({ subject: before }) => ({
    subject: before.flatMap(([name, value]): Name => {
      if (name !== attribute) return [[name, value]]
      return text === undefined ? [] : [[name, text]]
    }),
  }))

export const withoutExtension = (oid: string) =>
  changeLeaf(({ extensions }) => ({ extensions: extensions.filter((extension) => extension.oid !== oid) }))

type ChangedExtension = Partial<CertificateExtension> & { readonly oid: string }

/** The extensions with changes to the one of this OID. */
export const replacing = (extensions: readonly CertificateExtension[], changed: ChangedExtension) =>
  extensions.map((one) => (one.oid === changed.oid ? { ...one, ...changed } : one))

export const extensionInstead = (changed: ChangedExtension) =>
  changeLeaf(({ extensions }) => ({ extensions: replacing(extensions, changed) }))

/** The serial number grows until an unused bit of the signature is set: parsers accept those that are zero. */
const withUnusedBits = ({ draft, issuerKey }: CertificateSigningDraft): CertificateSigningDraft => {
  const drafts = Array.from({ length: 256 }, (_, octet): CertificateDraft => {
    return { ...draft, serialNumber: concat(draft.serialNumber.subarray(0, 19), Uint8Array.of(octet)), unusedBits: 2 }
  })
  const found = drafts.find((each) => ((issueCertificate(each, issuerKey).at(-1) ?? 0) & 3) !== 0)
  return { draft: found ?? draft, issuerKey }
}

/** The formats whose chain has an intermediate certificate. */
const CHAINED = ['packed', 'tpm', 'apple', 'android-key', 'android-safetynet'] as const

/** The owner of the chain: the maker whose intermediate certificate is the second one. */
const makersOf = ({ authority }: SeamContext, [, second]: readonly Bytes[]) => {
  const text = second === undefined ? '' : toBase64url(second)
  return Object.values(authority.formats).find(({ intermediate }) => intermediate.certificate === text)
}

const intermediateAgain = (change: (draft: CertificateDraft) => Partial<CertificateDraft>) =>
  chain((before, context) => {
    const makers = makersOf(context, before)
    if (makers === undefined) return before
    const { root, intermediate } = makers
    const validity = context.authority
    const draft = draftIssuer(intermediate, { parent: root, validity, serialNumber: Uint8Array.of(0x66) })
    const again = issueCertificate({ ...draft, ...change(draft) }, root.privateKey)
    return before.map((certificate, i) => (i === 1 ? again : certificate))
  })

const strangers = (_: AttestationAuthority, { authority, now }: SeamContext): AttestationAuthority =>
  makeUntrustedMakers(authority, { random: labelledRandom(authority.secret, 'strangers'), now })

const AAGUID = aaguidExtension(new Uint8Array(16)).oid

const fault = faultsAt('registration', 'attestation')
const chained = faultsAt('registration', 'attestation', { attestation: CHAINED })
const everyChain = faultsAt('registration', 'attestation', { attestation: [...CHAINED, 'fido-u2f'] })
const packed = faultsAt('registration', 'attestation', { attestation: ['packed'] })
const checkedLeaf = faultsAt('registration', 'attestation', { attestation: ['packed', 'tpm'] })

/** Faults in the certificates of an attestation (WebAuthn §8.2.1, RFC 5280). */
export const certificateFaults = {
  'chain-empty': fault('attestation_chain_empty', {
    attestation: ['packed', 'fido-u2f', 'tpm', 'apple', 'android-key', 'android-safetynet'],
  })(chain(() => [])),
  'chain-garbled': chained('attestation_certificate_malformed')(
    chain((before) => before.map((certificate, i) => (i === 0 ? certificate.slice(0, -1) : certificate))),
  ),
  'chain-misordered': chained('attestation_chain_misordered')(
    chain((before, context) => {
      const root = makersOf(context, before)?.root
      const [first, second] = before
      return root && first && second ? [first, certificateBytes(root), second] : before
    }),
  ),
  'chain-reversed': packed('attestation_signature_invalid')(chain((before) => [...before].reverse())),
  'chain-repeated': chained('attestation_chain_repeated')(chain((before) => [...before, ...before.slice(-1)])),
  'chain-broken': chained('attestation_chain_broken')(
    chain((before, { authority }) => {
      const [first, second] = before
      const other = Object.values(authority.formats).find(
        ({ intermediate }) => second && intermediate.certificate !== toBase64url(second),
      )
      return first && other ? [first, certificateBytes(other.intermediate)] : before
    }),
  ),
  'chain-forged': chained('attestation_chain_signature_invalid')({
    attestationCertificate: ({ draft }, context) => ({ draft, issuerKey: foreignKey(context) }),
  }),
  'chain-untrusted': fault('attestation_untrusted', {
    attestation: [...CHAINED, 'fido-u2f'],
    profile: { attestation: 'require-trusted' },
  })({ attestationAuthority: strangers }),
  'certificate-expired': everyChain('attestation_certificate_expired')(
    changeLeaf((_, { now }) => ({ notBefore: now - 2 * DAY_MS, notAfter: now - DAY_MS })),
  ),
  'certificate-not-yet-valid': everyChain('attestation_certificate_not_yet_valid')(
    changeLeaf((_, { now }) => ({ notBefore: now + DAY_MS, notAfter: now + 2 * DAY_MS })),
  ),
  'issuer-expired': chained('attestation_issuer_expired')(
    intermediateAgain(({ notBefore }) => ({ notAfter: notBefore + DAY_MS })),
  ),
  'issuer-not-yet-valid': chained('attestation_issuer_not_yet_valid')(
    intermediateAgain(({ notAfter }) => ({ notBefore: notAfter - DAY_MS })),
  ),
  'issuer-not-ca': chained('attestation_issuer_not_ca')(
    intermediateAgain(({ extensions }) => ({ extensions: [basicConstraints(false), ...extensions.slice(1)] })),
  ),
  'issuer-may-not-certify': chained('attestation_issuer_may_not_certify')(
    intermediateAgain(({ extensions }) => ({ extensions: replacing(extensions, keyUsage('digitalSignature')) })),
  ),

  'certificate-of-authority': checkedLeaf('attestation_certificate_is_ca')(extensionInstead(basicConstraints(true))),
  'certificate-version-1': checkedLeaf('attestation_certificate_version')(changeLeaf(() => ({ version: 1 }))),
  'certificate-without-constraints': checkedLeaf('attestation_certificate_constraints_missing')(
    withoutExtension('2.5.29.19'),
  ),
  'certificate-of-other-model': packed('attestation_certificate_aaguid_mismatch')(
    extensionInstead(aaguidExtension(new Uint8Array(16).fill(0xee))),
  ),
  'certificate-aaguid-critical': packed('attestation_certificate_aaguid_critical')(
    extensionInstead({ oid: AAGUID, critical: true }),
  ),
  'certificate-aaguid-malformed': packed('attestation_certificate_aaguid_malformed')(
    extensionInstead({ oid: AAGUID, value: new Uint8Array(16).fill(0xee) }),
  ),
  'certificate-unused-bits': everyChain('attestation_certificate_malformed')({
    attestationCertificate: withUnusedBits,
  }),
  'certificate-without-country': packed('attestation_certificate_country')(subject('C', undefined)),
  'certificate-without-vendor': packed('attestation_certificate_organization')(subject('O', undefined)),
  'certificate-unit-wrong': packed('attestation_certificate_unit')(subject('OU', 'Engineering')),
  'certificate-without-name': packed('attestation_certificate_common_name')(subject('CN', undefined)),
} as const satisfies FaultTable
