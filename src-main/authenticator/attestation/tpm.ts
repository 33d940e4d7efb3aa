import { createHash } from 'node:crypto'
import { type Bytes, concat } from '../../protocol/bytes.ts'
import { algorithmNamed } from '../algorithms.ts'
import type { CborValue } from '../canonical-cbor.ts'
import { objectIdentifier, sequence, set, tagged, utf8String } from '../der.ts'
import { makeEcKey, publicKeyDer } from '../private-key.ts'
import type { AttestationFormat } from './attestation-format.ts'
import { aaguidExtension, type CertificateExtension, extendedKeyUsage } from './certificate.ts'
import { labelledRandom } from './labelled-random.ts'
import { draftLeaf, issueChain } from './leaf-certificate.ts'
import { signAttestation } from './sign-attestation.ts'
import {
  draftPublicArea,
  encodeCertInfo,
  encodePublicArea,
  nameOf,
  TPM_GENERATED_VALUE,
  TPM_ST_ATTEST_CERTIFY,
} from './tpm-structures.ts'

const ES256 = algorithmNamed('ES256')

const sha256 = (bytes: Uint8Array): Bytes => new Uint8Array(createHash('sha256').update(bytes).digest())

const attribute = (oid: string, text: string): Bytes => sequence(objectIdentifier(oid), utf8String(text))

/** TCG EK Credential Profile §3.2.9: the TPM's maker, model and version as a directory name. */
export const tpmAlternativeName = (values: {
  readonly manufacturer: string
  readonly model: string
  readonly version: string
}): CertificateExtension => ({
  oid: '2.5.29.17',
  // RFC 5280 §4.2.1.6: critical, because the subject is empty.
  critical: true,
  value: sequence(
    tagged(
      4,
      sequence(
        set(
          attribute('2.23.133.2.1', values.manufacturer),
          attribute('2.23.133.2.2', values.model),
          attribute('2.23.133.2.3', values.version),
        ),
      ),
    ),
  ),
})

// The FIDO Alliance's own entry in the TCG vendor registry, made for tests.
const TPM_IDENTITY = { manufacturer: 'id:FFFFF1D0', model: 'Handset Slate TPM', version: 'id:00010000' }
const AIK_CERTIFICATE = '2.23.133.8.3'

/** WebAuthn §8.3. */
export const tpm: AttestationFormat = {
  fmt: 'tpm',
  supports: (algorithm) => algorithm.kind === 'rsa' || (algorithm.kind === 'ec' && algorithm.name !== 'ES256K'),
  attest: (input) => {
    const issuer = input.authority.formats.tpm.intermediate
    const random = labelledRandom(input.authority.secret, `tpm/${input.model.aaguid}`)
    const privateKey = makeEcKey(ES256, random)
    const draft = draftLeaf({
      input,
      issuer,
      subject: [],
      publicKey: publicKeyDer(privateKey),
      random,
      extensions: [extendedKeyUsage(AIK_CERTIFICATE), tpmAlternativeName(TPM_IDENTITY), aaguidExtension(input.aaguid)],
    })
    const chain = issueChain(input, { draft, issuer, above: [issuer] })
    const pubArea = encodePublicArea(input.strike('tpmPublicArea', draftPublicArea(input.credentialKey)))
    const certInfo = encodeCertInfo(
      input.strike('tpmCertInfo', {
        magic: TPM_GENERATED_VALUE,
        type: TPM_ST_ATTEST_CERTIFY,
        qualifiedSigner: new Uint8Array(0),
        extraData: sha256(concat(input.authenticatorData, input.clientDataHash)),
        clockInfo: new Uint8Array(17),
        firmwareVersion: new Uint8Array(8),
        name: nameOf(pubArea),
        qualifiedName: new Uint8Array(0),
      }),
    )
    return new Map<string, CborValue>([
      ['ver', '2.0'],
      ['alg', ES256.cose],
      ['sig', signAttestation(input, { algorithm: ES256, privateKey, data: certInfo })],
      ['x5c', chain],
      ['pubArea', pubArea],
      ['certInfo', certInfo],
    ])
  },
}
