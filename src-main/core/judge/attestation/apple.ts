import { type Bytes, concat, equalBytes } from '../../protocol/bytes.ts'
import { algorithmName, describeKey, sameKey } from '../algorithms.ts'
import { type Certificate, EXTENSION, showName } from '../certificate.ts'
import { type CheckList, createCheckList, type Finding } from '../check-list.ts'
import { decodeDer, isContext, octetStringBytes, sequenceOf } from '../der.ts'
import { showBytes } from '../describe.ts'
import { type AttestationInput, hasMember, readCertificates, readStatement, type VerifyAttestation } from './format.ts'

/** WebAuthn §8.8. Earlier drafts also had `alg`, as did the statements of Apple's devices in 2020 and 2021. */
export const verifyApple: VerifyAttestation = async (input) => {
  const list = createCheckList()
  const { members, findings } = readApple(input)
  list.settle('statement_form', findings)
  if (members?.alg !== undefined) checkAlgorithm(list, members.alg, input)
  const trustPath = members && readCertificates(list, members.x5c, input.switches)
  if (trustPath) {
    const [leaf] = trustPath
    await checkNonce(list, leaf, input)
    const { key } = input.authenticatorData.attested.key
    list.check('certificate_of_credential_key', leaf.key !== undefined && sameKey(leaf.key, key), {
      word: 'apple_key_mismatch',
      expected: describeKey(key),
      received: leaf.key ? describeKey(leaf.key) : showName(leaf.subject),
    })
  }
  return { checks: list.checks(), type: 'anonca', trustPath: trustPath ?? [] }
}

type Members = { readonly alg?: number; readonly x5c: readonly Bytes[] }

const readApple = ({
  statement,
  switches,
}: AttestationInput): { readonly members?: Members; readonly findings: readonly Finding[] } =>
  switches.acceptAppleAlg === true && hasMember(statement, 'alg')
    ? readStatement(statement, { alg: 'algorithm', x5c: 'certificates' })
    : readStatement(statement, { x5c: 'certificates' })

const checkAlgorithm = (list: CheckList, received: number, { authenticatorData }: AttestationInput): void => {
  const { algorithm } = authenticatorData.attested.key
  list.check('algorithm_of_credential', received === algorithm, {
    word: 'attestation_algorithm_mismatch',
    expected: algorithmName(algorithm),
    received: algorithmName(received),
  })
}

const checkNonce = async (list: CheckList, leaf: Certificate, input: AttestationInput): Promise<void> => {
  const extension = leaf.extensions.get(EXTENSION.appleNonce)
  const there = list.check('nonce_there', extension !== undefined, { word: 'apple_nonce_missing' })
  if (!there || extension === undefined) return
  // SEQUENCE { [1] { OCTET STRING } }
  const der = decodeDer(extension.value)
  const fields = der.ok ? sequenceOf(der.value) : undefined
  const nonce = octetStringBytes(fields?.find((field) => isContext(field, 1))?.children[0])
  const readable = list.check('nonce_readable', nonce !== undefined, {
    word: 'apple_nonce_malformed',
    received: showBytes(extension.value),
  })
  if (!readable || nonce === undefined) return
  const expected = await input.crypto.digest('SHA-256', concat(input.authenticatorData.bytes, input.clientDataHash))
  list.check('nonce_hash', equalBytes(nonce, expected), {
    word: 'apple_nonce_mismatch',
    expected: showBytes(expected),
    received: showBytes(nonce),
  })
}
