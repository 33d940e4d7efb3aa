import { KEY_DESCRIPTION, type KeyDescriptionDraft } from '../attestation/android-key-description.ts'
import { APPLE_NONCE, hostAlternativeName } from '../attestation/formats/attestation-format.ts'
import { TPM_IDENTITY, tpmAlternativeName } from '../attestation/formats/tpm.ts'
import { draftPublicArea } from '../attestation/tpm-structures.ts'
import { type CborValue, cborMap } from '../canonical-cbor.ts'
import type { AttestationKind } from '../models.ts'
import { publicKeyDer } from '../private-key.ts'
import type { Seams } from '../seams.ts'
import { foreignKeyLike, keyKindOf } from './another-key.ts'
import { setMember } from './attestation-object-faults.ts'
import { attested } from './authenticator-data-faults.ts'
import { changeLeaf, extensionInstead, replacing, withoutExtension } from './certificate-faults.ts'
import { changing, type FaultSeam, type FaultTable, faultsAt, flipBit } from './fault.ts'

const at = (kind: AttestationKind, seam: FaultSeam = 'attestation') =>
  faultsAt('registration', seam, { attestation: [kind] })

const tpm = at('tpm')
const android = at('android-key')
const apple = at('apple')
const u2f = at('fido-u2f')
const safetynet = at('android-safetynet')
const compound = at('compound')

const certInfo = changing('tpmCertInfo')
const claims = changing('safetyNetClaims')
const description = changing('androidKeyDescription')

/** Changes the list that has the key's purpose: softwareEnforced when there is no hardware. */
const authorized = (change: Partial<KeyDescriptionDraft['teeEnforced']>) =>
  description((draft) => {
    const list = draft.softwareEnforced.purpose === undefined ? 'teeEnforced' : 'softwareEnforced'
    return { [list]: { ...draft[list], ...change } }
  })

const statements = (change: (each: readonly CborValue[]) => readonly CborValue[]): Seams => ({
  attestationObject: (draft) => (Array.isArray(draft.attStmt) ? { ...draft, attStmt: change(draft.attStmt) } : draft),
})

/** Invalidates the signature in one statement of a compound attestation. */
const wronglySigned = (one: CborValue): CborValue => {
  const attStmt = one instanceof Map ? one.get('attStmt') : undefined
  const sig = attStmt instanceof Map ? attStmt.get('sig') : undefined
  if (!(one instanceof Map && attStmt instanceof Map && sig instanceof Uint8Array)) return one
  return new Map([...one, ['attStmt', new Map([...attStmt, ['sig', flipBit(sig, -1)]])]])
}

/** Certifies and signs with a key that is not the credential's. */
const certifiedForAnotherKey: Seams = {
  ...changeLeaf((draft, context) => ({ publicKey: publicKeyDer(foreignKeyLike(keyKindOf(draft.publicKey), context)) })),
  ...changing('attestationSigning')((draft, context) => ({ privateKey: foreignKeyLike(draft.privateKey, context) })),
}

const ALTERNATIVE_NAME = '2.5.29.17'
const KEY_PURPOSE = '2.5.29.37'
const OTHER_HOST = 'attest.example.com'
const MINUTE = 60_000

/** Faults against the rules of single attestation formats (WebAuthn §8.3–§8.8). */
export const formatFaults = {
  'tpm-version-wrong': tpm('tpm_version_unsupported')(setMember('ver', '1.2')),
  'tpm-magic-wrong': tpm('tpm_magic_mismatch')(certInfo(() => ({ magic: 0xff544348 }))),
  'tpm-type-wrong': tpm('tpm_type_mismatch')(certInfo(() => ({ type: 0x8018 }))),
  'tpm-extra-data-wrong': tpm('tpm_extra_data_mismatch')(
    certInfo((draft) => ({ extraData: draft.extraData.map((octet) => octet ^ 0xff) })),
  ),
  'tpm-name-wrong': tpm('tpm_name_mismatch')(
    certInfo((draft) => ({ name: draft.name.map((octet, i) => (i < 2 ? octet : octet ^ 0xff)) })),
  ),
  'tpm-public-area-of-another-key': tpm('tpm_pub_area_key_mismatch')({
    tpmPublicArea: (_, context) => draftPublicArea(foreignKeyLike(context.credential.privateKey, context)),
  }),
  'tpm-public-area-cut-off': tpm('tpm_pub_area_malformed')({
    tpmPublicArea: (draft) => ({ ...draft, unique: draft.unique.subarray(0, 8) }),
  }),
  'tpm-cert-info-cut-off': tpm('tpm_cert_info_malformed')(
    certInfo(() => ({ firmwareVersion: new Uint8Array(0), clockInfo: new Uint8Array(0) })),
  ),
  'tpm-subject-not-empty': tpm('tpm_subject_not_empty')(changeLeaf(() => ({ subject: [['CN', 'TPM']] }))),
  'tpm-alternative-name-missing': tpm('tpm_alternative_name_missing')(withoutExtension(ALTERNATIVE_NAME)),
  'tpm-manufacturer-unknown': tpm('tpm_manufacturer_unknown')(
    extensionInstead(tpmAlternativeName({ ...TPM_IDENTITY, manufacturer: 'id:DEADBEEF' })),
  ),
  'tpm-key-purpose-missing': tpm('tpm_key_purpose_missing')(withoutExtension(KEY_PURPOSE)),

  'android-challenge-wrong': android('android_challenge_mismatch')(
    description(() => ({ attestationChallenge: new Uint8Array(32) })),
  ),
  'android-purpose-wrong': android('android_purpose_not_sign')(authorized({ purpose: [0] })),
  'android-purposes-many': android('android_purpose_not_sign')(authorized({ purpose: [0, 2] })),
  'android-origin-imported': android('android_origin_not_generated')(authorized({ origin: 2 })),
  'android-all-applications': android('android_all_applications')(authorized({ allApplications: true })),
  'android-description-missing': android('android_extension_missing')(withoutExtension(KEY_DESCRIPTION)),
  'android-description-malformed': android('android_extension_malformed')(
    extensionInstead({ oid: KEY_DESCRIPTION, value: Uint8Array.of(0x30, 0) }),
  ),
  'android-certificate-of-another-key': android('android_key_mismatch')(certifiedForAnotherKey),

  'apple-nonce-wrong': apple('apple_nonce_mismatch')({ appleNonce: (nonce) => nonce.map((octet) => octet ^ 0xff) }),
  'apple-nonce-missing': apple('apple_nonce_missing')(withoutExtension(APPLE_NONCE)),
  'apple-nonce-malformed': apple('apple_nonce_malformed')(
    extensionInstead({ oid: APPLE_NONCE, value: Uint8Array.of(0x30, 0) }),
  ),
  'apple-certificate-of-another-key': apple('apple_key_mismatch')(certifiedForAnotherKey),

  'compound-statement-wrong': compound('attestation_signature_invalid')(
    statements((each) => each.map((one, i) => (i === 0 ? one : wronglySigned(one)))),
  ),
  'compound-statement-alone': compound('malformed_attestation_statement')(statements((each) => each.slice(0, 1))),
  'compound-within-compound': compound('malformed_attestation_statement')(
    statements((each) => [...each, cborMap({ fmt: 'compound', attStmt: [...each] })]),
  ),

  'u2f-aaguid-not-zero': at('fido-u2f', 'authenticator data')('u2f_aaguid_not_zero')(
    attested(() => ({ aaguid: new Uint8Array(16).fill(0xee) })),
  ),
  'u2f-two-certificates': u2f('u2f_certificate_count')({ attestationChain: (chain) => [...chain, ...chain] }),

  'safetynet-version-missing': safetynet('safetynet_version_missing')(setMember('ver', '')),
  'safetynet-response-malformed': safetynet('safetynet_response_malformed')(
    setMember('response', Uint8Array.of(0x7b, 0x7d)),
  ),
  'safetynet-nonce-wrong': safetynet('safetynet_nonce_mismatch')(
    claims(() => ({ nonce: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' })),
  ),
  'safetynet-integrity-failed': safetynet('safetynet_integrity_failed')(claims(() => ({ ctsProfileMatch: false }))),
  'safetynet-stale': at('android-safetynet', 'time')('safetynet_timestamp_stale')(
    claims((_, { now }) => ({ timestampMs: now - 5 * MINUTE })),
  ),
  'safetynet-from-the-future': at('android-safetynet', 'time')('safetynet_timestamp_stale')(
    claims((_, { now }) => ({ timestampMs: now + 5 * MINUTE })),
  ),
  'safetynet-host-wrong': safetynet('safetynet_host_mismatch')(
    changeLeaf(({ extensions }) => ({
      subject: [['CN', OTHER_HOST]],
      extensions: replacing(extensions, hostAlternativeName(OTHER_HOST)),
    })),
  ),
} as const satisfies FaultTable
