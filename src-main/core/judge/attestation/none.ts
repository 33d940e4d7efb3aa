import { createCheckList } from '../check-list.ts'
import type { VerifyAttestation } from './format.ts'

/** WebAuthn §8.7. */
export const verifyNone: VerifyAttestation = ({ statement }) => {
  const list = createCheckList()
  list.check('statement_empty', statement.entries.length === 0, {
    word: 'attestation_statement_not_empty',
    received: { code: 'members', params: { count: statement.entries.length } },
    at: { part: 'attestationObject', start: statement.start, end: statement.end },
  })
  return { checks: list.checks(), type: 'none', trustPath: [] }
}
