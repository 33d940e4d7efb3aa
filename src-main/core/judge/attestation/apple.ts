import { type Bytes, concat } from '../../protocol/bytes.ts'
import { type Certificate, EXTENSION } from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import { decodeDer, isContext, octetStringBytes, sequenceItems } from '../der.ts'
import { showBytes } from '../describe.ts'
import {
  type AttestationInput,
  checkOwnAlgorithm,
  checkOwnKey,
  checkSame,
  defineProcedure,
  hasMember,
  readCertificates,
  readStatement,
} from './format.ts'

/** WebAuthn §8.8. Earlier drafts also had `alg`, as did the statements of Apple's devices in 2020 and 2021. */
export const verifyApple = defineProcedure('anonca', async (list, input) => {
  const { statement, relaxed } = input
  const hasAlgorithm = relaxed.includes('apple-alg') && hasMember(statement, 'alg')
  const members: { readonly alg?: number; readonly x5c: readonly Bytes[] } | undefined = hasAlgorithm
    ? readStatement(list, statement, { alg: 'algorithm', x5c: 'certificates' })
    : readStatement(list, statement, { x5c: 'certificates' })
  if (members?.alg !== undefined) checkOwnAlgorithm(list, members.alg, input)
  const trustPath = members && readCertificates(list, members.x5c, relaxed)
  if (trustPath === undefined) return undefined
  const [leaf] = trustPath
  await checkNonce(list, leaf, input)
  checkOwnKey(list, leaf, { word: 'apple_key_mismatch', key: input.authenticatorData.attested.key.key })
  return trustPath
})

const checkNonce = async (list: CheckList, leaf: Certificate, input: AttestationInput): Promise<void> => {
  const extension = leaf.extensions.get(EXTENSION.appleNonce)
  if (!list.found('nonce_there', extension, { word: 'apple_nonce_missing' })) return
  // SEQUENCE { [1] { OCTET STRING } }
  const der = decodeDer(extension.value)
  const fields = der.ok ? sequenceItems(der.value) : undefined
  const nonce = octetStringBytes(fields?.find((field) => isContext(field, 1))?.children[0])
  const malformed = { word: 'apple_nonce_malformed', received: showBytes(extension.value) } as const
  if (!list.found('nonce_readable', nonce, malformed)) return
  const expected = await input.crypto.digest('SHA-256', concat(input.authenticatorData.bytes, input.clientDataHash))
  checkSame(list, 'nonce_hash', { word: 'apple_nonce_mismatch', expected, received: nonce })
}
