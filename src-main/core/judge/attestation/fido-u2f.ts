import { concat } from '../../protocol/bytes.ts'
import { algorithmName, describeKey } from '../algorithms.ts'
import { formatUuid } from '../describe.ts'
import { checkCertificateSignature, defineProcedure, readCertificates, readStatement } from './format.ts'

const ES256 = -7

/** WebAuthn §8.6. */
export const verifyFidoU2f = defineProcedure('basic', async (list, input) => {
  const { authenticatorData, clientDataHash, crypto, relaxed } = input
  const members = readStatement(list, input.statement, { x5c: 'certificates', sig: 'bytes' })
  if (members === undefined) return undefined
  const { attested, rpIdHash } = authenticatorData
  const { aaguid, credentialId } = attested
  const { key, algorithm } = attested.key
  list.check('aaguid_zero', relaxed.includes('u2f-aaguid') || aaguid.every((byte) => byte === 0), {
    word: 'u2f_aaguid_not_zero',
    received: formatUuid(aaguid),
  })
  list.check('one_certificate', members.x5c.length <= 1, {
    word: 'u2f_certificate_count',
    expected: '1',
    received: String(members.x5c.length),
  })
  const fits = list.check('credential_es256', key.kty === 'EC2' && algorithm === ES256, {
    word: 'u2f_credential_key',
    expected: algorithmName(ES256),
    received: algorithmName(algorithm),
  })
  const trustPath = readCertificates(list, members.x5c, relaxed)
  if (trustPath === undefined) return undefined
  const [certificate] = trustPath
  const isP256 = certificate.key?.kty === 'EC2' && certificate.key.crv === 'P-256'
  list.check('certificate_key_p256', isP256, {
    word: 'u2f_certificate_key',
    expected: 'P-256',
    received: certificate.key ? describeKey(certificate.key) : { code: 'certificate_key_other' },
  })
  if (isP256 && fits && key.kty === 'EC2') {
    // FIDO U2F Raw Message Formats §4.3.
    const point = concat(Uint8Array.of(4), key.x, key.y)
    const data = concat(Uint8Array.of(0), rpIdHash, clientDataHash, credentialId, point)
    await checkCertificateSignature(list, { certificate, algorithm: ES256, data, signature: members.sig }, crypto)
  }
  return trustPath
})
