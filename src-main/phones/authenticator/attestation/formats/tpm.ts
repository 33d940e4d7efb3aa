import { type Bytes, concat } from '../../../../core/protocol/bytes.ts'
import { algorithmNamed, digest, ES256 } from '../../algorithms.ts'
import { cborMap } from '../../canonical-cbor.ts'
import { objectIdentifier, sequence, set, tagged, uint64, utf8String } from '../../der.ts'
import { makeEcKey, type PrivateKey, rsaKeyFromPool } from '../../private-key.ts'
import {
  authorityInformation,
  type CertificateExtension,
  certificatePolicies,
  extendedKeyUsage,
  findMakers,
  labelledRandom,
} from '../attestation-authority.ts'
import {
  draftAttestationKeyArea,
  draftPublicArea,
  draftStorageKeyArea,
  encodeCertInfo,
  encodePublicArea,
  TPM_GENERATED_VALUE,
  TPM_ST_ATTEST_CERTIFY,
  tpmName,
  tpmQualifiedName,
} from '../tpm-structures.ts'
import { type AttestationFormat, type AttestationInput, issueChain, signAttestation } from './attestation-format.ts'

// The FIDO Alliance's own entry in the TCG vendor registry, made for tests.
export const TPM_IDENTITY = { manufacturer: 'id:FFFFF1D0', model: 'Handset Slate TPM', version: 'id:00010000' }

/** TCG EK Credential Profile §3.2.9: the TPM's maker, model and version as a directory name, together or one by one. */
export const tpmAlternativeName = (
  { manufacturer, model, version }: typeof TPM_IDENTITY,
  together = true,
): CertificateExtension => {
  const attributes = [manufacturer, model, version].map((text, i) =>
    sequence(objectIdentifier(`2.23.133.2.${i + 1}`), utf8String(text)),
  )
  const name = together ? [set(...attributes)] : attributes.map((one) => set(one))
  // RFC 5280 §4.2.1.6: critical, because the subject is empty.
  return { oid: '2.5.29.17', critical: true, value: sequence(tagged(4, sequence(...name))) }
}

const AIK_CERTIFICATE = '2.23.133.8.3'

// The text of Windows' attestation authorities, double spaces included.
const AIK_POLICY = certificatePolicies('1.3.6.1.4.1.311.21.31', 'TCPA  Trusted  Platform  Identity')
const ISSUER_ADDRESS = 'http://aik.handset.example/slate-tpm.cer'

/** WebAuthn §8.3. */
export const tpm: AttestationFormat = {
  fmt: 'tpm',
  supports: (algorithm) => algorithm.kind === 'rsa' || (algorithm.kind === 'ec' && algorithm.name !== 'ES256K'),
  attest: (input) => {
    const issuer = findMakers(input.authority, 'tpm').intermediate
    const random = labelledRandom(input.authority.secret, `tpm/${input.model.aaguid}`)
    const algorithm = algorithmNamed(input.model.variant?.attestationKey ?? 'ES256')
    const privateKey = algorithm.kind === 'rsa' ? rsaKeyFromPool(random) : makeEcKey(ES256, random)
    const chain = issueChain(input, {
      ...{ issuer, key: privateKey, random, subject: [] },
      extensions: [
        { ...AIK_POLICY, critical: true },
        extendedKeyUsage(AIK_CERTIFICATE),
        tpmAlternativeName(TPM_IDENTITY, false),
        authorityInformation(ISSUER_ADDRESS),
      ],
    })
    const pubArea = encodePublicArea(input.applySeam('tpmPublicArea', draftPublicArea(input.credentialKey)))
    const certInfo = encodeCertInfo(
      input.applySeam('tpmCertInfo', {
        magic: TPM_GENERATED_VALUE,
        type: TPM_ST_ATTEST_CERTIFY,
        extraData: digest(algorithm.hash, input.authenticatorData, input.clientDataHash),
        ...machineState(input),
        ...namesOf(input, { pubArea, attestationKey: privateKey, hash: algorithm.hash }),
      }),
    )
    const sig = signAttestation(input, { algorithm, privateKey, data: certInfo })
    return cborMap({ ver: '2.0', alg: algorithm.cose, sig, x5c: chain, pubArea, certInfo })
  },
}

/** The TPM's clock, its reset and restart counts, the clock's safe flag, and the firmware version. */
const machineState = ({ authority, model, now }: AttestationInput) => {
  const random = labelledRandom(authority.secret, `tpm machine/${model.aaguid}`)
  return {
    clockInfo: concat(uint64(now - authority.notBefore), random.bytes(8), Uint8Array.of(1)),
    firmwareVersion: random.bytes(8),
  }
}

/** The qualified names of both keys, which are under the storage key of one TPM. */
const namesOf = (
  { authority, model }: AttestationInput,
  keys: { readonly pubArea: Bytes; readonly attestationKey: PrivateKey; readonly hash: 'sha1' | 'sha256' },
) => {
  const storageKey = makeEcKey(ES256, labelledRandom(authority.secret, `tpm storage/${model.aaguid}`))
  const storage = tpmName(encodePublicArea(draftStorageKeyArea(storageKey)))
  const name = tpmName(keys.pubArea)
  const signer = tpmName(encodePublicArea(draftAttestationKeyArea(keys.attestationKey, keys.hash)))
  return { qualifiedSigner: tpmQualifiedName(storage, signer), name, qualifiedName: tpmQualifiedName(storage, name) }
}
