import { concat } from '../../protocol/bytes.ts'
import { algorithmName } from '../algorithms.ts'
import { createCheckList } from '../check-list.ts'
import { checkSignature } from './check-signature.ts'
import type { AttestationInput, AttestationOutcome, VerifyAttestation } from './format.ts'
import { readStatement } from './statement.ts'

/** WebAuthn §8.2: self attestation without x5c. */
export const verifyPacked: VerifyAttestation = (input) => verifySelf(input)

const verifySelf = async (input: AttestationInput): Promise<AttestationOutcome> => {
  const { authenticatorData, clientDataHash, crypto } = input
  const list = createCheckList()
  const { members, findings } = readStatement(input.statement, { alg: 'algorithm', sig: 'bytes' })
  list.settle('The statement has the form of its format', findings)
  const { key } = authenticatorData.attested
  if (members) {
    const matches = list.check('The algorithm is that of the credential', members.alg === key.algorithm, {
      word: 'attestation_algorithm_mismatch',
      expected: algorithmName(key.algorithm),
      received: algorithmName(members.alg),
    })
    const data = concat(authenticatorData.bytes, clientDataHash)
    const check = { algorithm: members.alg, key: key.key, data, signature: members.sig }
    if (matches) await checkSignature(list, check, crypto)
  }
  return { checks: list.checks(), type: 'self', trustPath: [] }
}
