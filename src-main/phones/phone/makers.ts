import type { RandomSource } from '../../core/protocol/random.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import type { Millis } from '../../core/protocol/time.ts'
import {
  type AttestationAuthority,
  addMakers,
  addU2fMakers,
  beginAttestationAuthority,
} from '../authenticator/attestation/attestation-authority.ts'
import type { CertifiedFormat } from '../authenticator/models.ts'
import { attempt, onDisk } from './phone-saver.ts'
import type { PhoneRefusal } from './phone-state.ts'
import type { PhoneStorage } from './storage/phone-storage.ts'

/** The manufacturers of a workspace's phones. */
export type Makers = {
  /** The makers so far. */
  known(): AttestationAuthority
  /** Makers of a format are made on first use, and announced before this resolves. */
  for(format: CertifiedFormat): Promise<Result<AttestationAuthority, PhoneRefusal>>
}

export const openMakers = (options: {
  readonly workspace: string
  readonly storage: PhoneStorage
  readonly random: (purpose: string) => RandomSource
  readonly now: () => Millis
  /** Announces the makers, so that the service can trust them. */
  readonly announce: () => Promise<unknown>
}): Makers => {
  const { workspace, storage, random, now, announce } = options
  const save = (makers: AttestationAuthority): void => storage.saveMakers(workspace, JSON.stringify(makers))

  const begin = (): AttestationAuthority => {
    const begun = beginAttestationAuthority({ random: random('attestation'), now: now() })
    save(begun)
    return begun
  }

  const stored = storage.makers(workspace)
  let makers = stored === undefined ? begin() : (JSON.parse(stored) as AttestationAuthority)
  let latest: Promise<unknown> = Promise.resolve()

  const add = async (format: CertifiedFormat): Promise<Result<AttestationAuthority, PhoneRefusal>> => {
    if (makers.formats[format] !== undefined) return ok(makers)
    const isU2f = format === 'fido-u2f'
    const others = isU2f && makers.formats.packed !== undefined ? makers : addMakers(makers, random('attestation'))
    const whole = isU2f ? await addU2fMakers(others, random('fido-u2f')) : others
    const saved = attempt(() => save(whole))
    if (!saved.ok) return saved
    makers = whole
    const synced = await onDisk(storage)
    if (!synced.ok) return synced
    await announce()
    return ok(whole)
  }

  return {
    known: () => makers,
    // One after the other: the second call finds the result of the first.
    for: (format) => {
      const added = latest.then(() => add(format))
      latest = added.catch(() => undefined)
      return added
    },
  }
}
