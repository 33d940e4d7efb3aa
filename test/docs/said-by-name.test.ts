import { expect, test } from 'vitest'
import { isSaidByName } from './said-by-name.ts'

test.each([
  ['The client data is cut off', 'client-data-truncated', 'Client data', true],
  ['The certificate has expired', 'certificate-expired', 'Attestation', true],
  ['The type is a number', 'type-mistyped', 'Client data', false],
  ['The page belongs to somebody else: phishing', 'origin-wrong', 'Client data', false],
  ['expires_at is in milliseconds', 'expires-in-milliseconds', 'The address and its expiry', true],
])('%s, said by %s below %s: %s', (sentence, name, heading, said) => {
  expect(isSaidByName(sentence, name, heading)).toBe(said)
})
