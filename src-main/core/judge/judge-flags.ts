import type { StepId } from '../contract/judge/steps.ts'
import type { Place } from '../contract/judge/verdict.ts'
import { type Bytes, equalBytes, toHex, utf8 } from '../protocol/bytes.ts'
import { type AuthenticatorData, fixedFields } from './authenticator-data.ts'
import type { Finding } from './check-list.ts'
import type { JudgeCrypto } from './crypto-port.ts'
import { showBytes, showFlag } from './describe.ts'
import type { Ledger } from './ledger.ts'

export type FlagSteps<Id extends StepId> = {
  readonly rpIdHash: Id
  readonly userPresence: Id
  readonly userVerification: Id
  readonly backup: Id
}

const placeOf = (field: { start: number; end: number }): Place => ({ part: 'authenticatorData', ...field })
const FLAGS = placeOf(fixedFields.flags)

/** WebAuthn §7.1 steps 14–17, which are §7.2 steps 15–18. */
export const judgeFlags = async <Id extends StepId>(
  { rpIdHash, flags }: AuthenticatorData,
  ceremony: {
    readonly ledger: Ledger<Id>
    readonly steps: FlagSteps<Id>
    readonly rpId: string
    readonly verificationRequired: boolean
    readonly crypto: JudgeCrypto
  },
): Promise<void> => {
  const { ledger, steps, rpId, verificationRequired, crypto } = ceremony
  const hash: Bytes = await crypto.digest('SHA-256', utf8(rpId))
  const named = { expected: `${toHex(hash)} (${rpId})`, received: showBytes(rpIdHash) }
  const at = placeOf(fixedFields.rpIdHash)
  ledger.settle(steps.rpIdHash, equalBytes(hash, rpIdHash) ? [] : [{ word: 'rp_id_hash_mismatch' }], { ...named, at })

  const presence: Finding = {
    word: 'user_presence_missing',
    expected: showFlag('UP', true),
    received: showFlag('UP', false),
  }
  ledger.settle(steps.userPresence, flags.userPresent ? [] : [presence], { at: FLAGS })

  if (!verificationRequired) ledger.skip(steps.userVerification, 'verification_not_required')
  else {
    const verification: Finding = {
      word: 'user_verification_missing',
      expected: showFlag('UV', true),
      received: showFlag('UV', false),
    }
    ledger.settle(steps.userVerification, flags.userVerified ? [] : [verification], { at: FLAGS })
  }

  const impossible = flags.backupState && !flags.backupEligible
  const backup: Finding = {
    word: 'backup_state_invalid',
    expected: { code: 'backup_state_not_set' },
    received: showFlag('BS', true),
  }
  ledger.settle(steps.backup, impossible ? [backup] : [], { at: FLAGS })
}
