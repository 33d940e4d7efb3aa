import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { Profile } from '../../core/contract/profile.ts'
import type { SigningMistake } from '../../core/contract/signing-mistakes.ts'
import type { SigningCrypto, SigningKeyCandidate } from '../../core/judge/signing/draft.ts'
import {
  explainSignature,
  type RefusedRequest,
  type SignatureExplanation,
} from '../../core/judge/signing/explain-signature.ts'
import { encodeScope, parseAuthorization, shortFormScopes } from '../../core/protocol/authorization.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Store } from '../store/store.ts'
import { type HmacSha256, hmacSha256 } from './authenticate.ts'

const hmacOf = rememberByObject((key: Uint8Array): HmacSha256 => hmacSha256(key))

/** Prepares the key once for all attempts. */
export const signingCrypto: SigningCrypto = {
  sha256: (octets) => Uint8Array.from(hash('sha256', Buffer.from(octets, 'latin1'), 'buffer')),
  sha256Hex: (octets) => hash('sha256', Buffer.from(octets, 'latin1'), 'hex'),
  hmacSha256Hex: (key, octets) => hmacOf(key)(octets),
}

type Kept = {
  readonly store: Pick<Store, 'rps' | 'accessKeys'>
  readonly settings: { profile(workspace: string): Profile }
}

/** `in-pairs` is only for a person who waits: it takes a second. */
export const explainRequest = async (
  { store, settings }: Kept,
  workspace: string,
  request: RefusedRequest,
  mistakes: 'alone' | 'in-pairs',
): Promise<Result<SignatureExplanation, Refusal>> => {
  const header = (wanted: string): string => request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
  const authorization = parseAuthorization(header('authorization'))
  if (!authorization.ok) return err(refuse('malformed_authorization', authorization.error))
  const named = authorization.value.form === 'general' ? authorization.value.accessKeyId : undefined
  const date = header('x-svc-date').trim()
  const profile = settings.profile(workspace)
  const rpIds = new Map((await store.rps.list(workspace)).map(({ id, rp_id }) => [id, rp_id]))
  const identifiers = profile.short_form_identifiers
  const all = (await store.accessKeys.list(workspace)).map(
    ({ id, secret, state, rp }): SigningKeyCandidate => ({
      id,
      secret,
      active: state === 'active',
      shortFormScopes: shortFormScopes({ accessKeyId: id, rp, rpId: rpIds.get(rp) ?? '', named: identifiers }, date),
    }),
  )
  const keys = all.filter(({ id, active }) => (named === undefined ? active : id === named))
  const explanation = await explainSignature({
    message: {
      ...request,
      authorization: authorization.value,
      date,
      scope: authorization.value.form === 'general' ? authorization.value.scope : encodeScope(''),
      rule: profile.canonical_uri,
    },
    keys,
    others: all.filter((key) => !keys.includes(key)),
    crypto: signingCrypto,
    mistakes,
    pause: () => setImmediate(),
  })
  return ok(explanation)
}

/** Stores for which a mistake is being sought. */
const seeking = new WeakSet<Kept['store']>()

/** Searches for one request at a time, to keep correct ones fast. Other wrong requests then get no mistake named. */
export const findMistake = async (
  kept: Kept,
  workspace: string,
  request: RefusedRequest,
): Promise<SigningMistake | undefined> => {
  if (seeking.has(kept.store)) return undefined
  seeking.add(kept.store)
  try {
    const explained = await explainRequest(kept, workspace, request, 'alone')
    return explained.ok ? explained.value.mistakes[0]?.id : undefined
  } finally {
    seeking.delete(kept.store)
  }
}
