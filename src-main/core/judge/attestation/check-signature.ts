import { algorithmName, describeKey, findAlgorithm } from '../algorithms.ts'
import { type Certificate, showName } from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import type { JudgeCrypto, SignatureCheck } from '../crypto-port.ts'
import { verifySignature } from '../signature.ts'

/** The attestation signature as three checks: an algorithm that fits the key, a form that fits, and the mathematics. */
export const checkSignature = async (list: CheckList, check: SignatureCheck, crypto: JudgeCrypto): Promise<void> => {
  const algorithm = findAlgorithm(check.algorithm)
  const known = list.check('statement_algorithm_known', algorithm !== undefined, {
    word: 'attestation_algorithm_unsupported',
    received: String(check.algorithm),
  })
  if (!known || algorithm === undefined) return
  const { key } = check
  const fits =
    algorithm.kty === key.kty &&
    // No curve is compared for EC2: RFC 9053 §2.1 leaves it open, and WebAuthn fixes it for credential keys only.
    (algorithm.kty !== 'OKP' || key.kty !== 'OKP' || algorithm.crv === key.crv) &&
    (algorithm.kty !== 'AKP' || key.kty !== 'AKP' || algorithm.name === key.name)
  const mismatch = { word: 'attestation_algorithm_mismatch', received: algorithmName(check.algorithm) } as const
  if (!list.check('algorithm_fits_key', fits, { ...mismatch, expected: describeKey(key) })) return
  const verdict = await verifySignature(check, crypto)
  if (verdict.outcome === 'malformed') {
    const { expected, received } = verdict
    list.check('signature_form', false, {
      word: 'attestation_signature_malformed',
      expected,
      received,
    })
    return
  }
  list.check('signature_verifies', verdict.outcome === 'valid', {
    word: verdict.outcome === 'unsupported' ? 'algorithm_unavailable' : 'attestation_signature_invalid',
    received: `${algorithmName(check.algorithm)}, ${describeKey(key)}`,
  })
}

/** The same with the key of a certificate. */
export const checkCertificateSignature = async (
  list: CheckList,
  check: Omit<SignatureCheck, 'key'> & { readonly certificate: Certificate },
  crypto: JudgeCrypto,
): Promise<void> => {
  const { certificate, ...rest } = check
  const { key } = certificate
  const known = list.check('certificate_key_known', key !== undefined, {
    word: 'attestation_certificate_key_unsupported',
    received: showName(certificate.subject),
  })
  if (known && key) await checkSignature(list, { ...rest, key }, crypto)
}
