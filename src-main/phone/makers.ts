import {
  type AttestationAuthority,
  addU2fMakers,
  type CertifiedFormat,
  makeAttestationAuthority,
} from '../authenticator/attestation/attestation-authority.ts'
import type { RandomSource } from '../protocol/random.ts'
import { ok, type Result } from '../protocol/result.ts'
import type { Millis } from '../protocol/time.ts'
import type { PhoneRefusal } from './phone-refusal.ts'
import { attempt } from './phone-saver.ts'
import type { PhoneStorage } from './storage/phone-storage.ts'

/** Who made a workspace's phones. */
export type Makers = {
  /** Those there are. */
  known(): AttestationAuthority
  /** Those of U2F are made when they are first asked for, and announced before this resolves. */
  for(format: CertifiedFormat | undefined): Promise<Result<AttestationAuthority, PhoneRefusal>>
}

export const openMakers = (options: {
  readonly workspace: string
  readonly storage: PhoneStorage
  readonly random: (purpose: string) => RandomSource
  readonly now: () => Millis
  /** They are to be trusted. */
  readonly announce: () => Promise<unknown>
}): Makers => {
  const { workspace, storage, random, now, announce } = options
  const save = (makers: AttestationAuthority): void => storage.saveMakers(workspace, JSON.stringify(makers))

  const make = (): AttestationAuthority => {
    const made = makeAttestationAuthority({ random: random('attestation'), now: now() })
    save(made)
    return made
  }

  const stored = storage.makers(workspace)
  let makers = stored === undefined ? make() : (JSON.parse(stored) as AttestationAuthority)
  let adding: Promise<Result<AttestationAuthority, PhoneRefusal>> | undefined

  const addU2f = async (): Promise<Result<AttestationAuthority, PhoneRefusal>> => {
    const whole = await addU2fMakers(makers, random('fido-u2f'))
    const saved = attempt(() => save(whole))
    if (!saved.ok) return saved
    makers = whole
    await announce()
    return ok(whole)
  }

  return {
    known: () => makers,
    for: async (format) => {
      if (format === undefined || (makers.formats[format] !== undefined && adding === undefined)) return ok(makers)
      adding ??= addU2f().finally(() => {
        adding = undefined
      })
      return adding
    },
  }
}
