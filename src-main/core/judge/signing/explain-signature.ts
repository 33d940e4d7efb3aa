import type { SignatureState } from '../../contract/control/states.ts'
import { SIGNING_MISTAKES, type SigningMistake } from '../../contract/signing-mistakes.ts'
import { parseScope } from '../../protocol/authorization.ts'
import { decodeOctets, toHex, utf8, utf8Octets } from '../../protocol/bytes.ts'
import {
  canonicalText,
  createDraft,
  type Draft,
  hashRequest,
  type SignedMessage,
  type SigningCrypto,
  type SigningKeyCandidate,
  textToSign,
} from './draft.ts'
import { type FirstDifference, firstDifference } from './first-difference.ts'
import type { DraftChange, Mistake, MistakeContext } from './mistake.ts'
import { payloadMistakes } from './payload-mistakes.ts'
import { addressMistakes, headerMistakes } from './request-mistakes.ts'
import { keyMistakes, textMistakes } from './text-mistakes.ts'

export type RefusedRequest = Pick<SignedMessage, 'method' | 'target' | 'headers' | 'body' | 'payloadHash' | 'signed'>

/** The control interface's explanation, before sentences and other exchanges are added. */
export type SignatureExplanation = Omit<SignatureState, 'mistakes' | 'signed_well'> & {
  /** One, or two in combination. */
  readonly mistakes: readonly { readonly id: SigningMistake; readonly note?: string }[]
}

/** Maximum number of keys and scopes with which pairs of mistakes are tried. */
const BASES_FOR_PAIRS = 4

/** Mistakes with too many changes to be tried together with other ones. */
const ALONE: ReadonlySet<SigningMistake> = new Set(['body-reordered', 'short-form-identifier'])

type Task = {
  /** Awaited now and then, to let other work use the thread. */
  readonly pause: () => Promise<void>
  readonly message: SignedMessage
  /** The named key, or for the short form all active ones. */
  readonly keys: readonly SigningKeyCandidate[]
  readonly others: readonly SigningKeyCandidate[]
  readonly crypto: SigningCrypto
  readonly mistakes?: 'alone' | 'in-pairs'
}

type Way = {
  readonly id: SigningMistake
  readonly mistake: Mistake
  readonly change: DraftChange
  readonly requestHash: string
  readonly text: string
}

const TRIES_BETWEEN_PAUSES = 500

/**
 * The service sees only a client's signature, not the signed text. It signs the request with each common mistake until
 * one gives the same signature. Then both texts are known, and the first line in which they differ.
 */
export const explainSignature = async ({
  message,
  keys,
  others,
  crypto,
  mistakes = 'in-pairs',
  pause,
}: Task): Promise<SignatureExplanation> => {
  const payloadHash = message.payloadHash ?? crypto.sha256Hex(utf8Octets(message.body))
  const wanted = message.authorization.signature
  const bases = keys.flatMap((key) =>
    scopesOf(message, key).map((scope) => {
      const context: MistakeContext = { message: { ...message, scope }, key, others, crypto }
      return { context, draft: createDraft(context.message, { bytes: utf8(key.secret), payloadHash, crypto }) }
    }),
  )
  let tried = 0
  const fits = async (draft: Draft, text: string): Promise<boolean> => {
    if (++tried % TRIES_BETWEEN_PAUSES === 0) await pause()
    return draft.mac(crypto, draft.key, text) === wanted
  }
  const explained = (base: (typeof bases)[number], draft: Draft, ways: readonly Way[]): SignatureExplanation => {
    const difference = differenceOf(base.draft, draft, base.context.message)
    const identifier = message.authorization.form === 'short' ? parseScope(draft.scope) : undefined
    return {
      outcome: ways.length === 0 ? 'holds' : 'explained',
      mistakes: ways.map(({ id, change }) => ({ id, ...(change.note === undefined ? {} : { note: change.note }) })),
      ...(difference === undefined ? {} : { difference }),
      access_key_id: base.context.key.id,
      ...(identifier === undefined ? {} : { identifier }),
      tried,
    }
  }

  for (const base of bases) if (await fits(base.draft, textToSign(base.draft))) return explained(base, base.draft, [])
  const all = bases.map((base) => ({ base, ways: waysOf(base.draft, base.context) }))
  for (const { base, ways } of all) {
    for (const way of ways) {
      const draft = { ...base.draft, ...way.change }
      if (await fits(draft, way.text)) return explained(base, draft, [way])
    }
  }
  for (const { base, ways } of mistakes === 'alone' ? [] : all.slice(0, BASES_FOR_PAIRS)) {
    const together = ways.filter(({ id }) => !ALONE.has(id))
    for (const [i, first] of together.entries()) {
      const draft = { ...base.draft, ...first.change }
      for (const second of together.slice(i + 1)) {
        if (second.mistake.part === first.mistake.part || clash(first.change, second.change)) continue
        const both = { ...draft, ...second.change }
        // The mistakes of the key are last in the table and leave the text unchanged.
        const text =
          second.mistake.part === 'key'
            ? first.text
            : textToSign(both, changesRequest(second.change) ? undefined : first.requestHash)
        if (await fits(both, text)) return explained(base, both, [first, second])
      }
    }
  }
  const [told] = bases.flatMap((base) => differenceOf(base.draft, base.draft, base.context.message) ?? [])
  const [named] = message.authorization.form === 'general' ? keys : []
  return {
    ...{ outcome: 'unexplained', mistakes: [], tried },
    ...(told === undefined ? {} : { difference: told }),
    ...(named === undefined ? {} : { access_key_id: named.id }),
  }
}

const scopesOf = ({ authorization, scope }: SignedMessage, key: SigningKeyCandidate): readonly string[] =>
  authorization.form === 'general' ? [scope] : key.shortFormScopes

/** Skips a change that has no effect or repeats the result of an earlier one. */
const waysOf = (draft: Draft, context: MistakeContext): readonly Way[] => {
  const known = new Set([fingerprint(draft)])
  return SIGNING_MISTAKES.flatMap((id) => {
    const mistake = signingMistakes[id]
    return mistake.changes(draft, context).flatMap((change) => {
      const print = change.mac === undefined ? fingerprint({ ...draft, ...change }) : `${id} ${known.size}`
      if (known.has(print)) return []
      known.add(print)
      const changed = { ...draft, ...change }
      const requestHash = hashRequest(changed)
      return [{ id, mistake, change, requestHash, text: textToSign(changed, requestHash) }]
    })
  })
}

const BESIDE_REQUEST: ReadonlySet<string> = new Set<keyof DraftChange>(['date', 'scope', 'algorithm', 'toSign', 'note'])

const changesRequest = (change: DraftChange): boolean => Object.keys(change).some((part) => !BESIDE_REQUEST.has(part))

const fingerprint = (draft: Draft): string => `${toHex(draft.key)}\n${textToSign(draft)}`

const clash = (first: DraftChange, second: DraftChange): boolean =>
  Object.keys(first).some((member) => member !== 'note' && member in second)

const differenceOf = (computed: Draft, found: Draft, message: SignedMessage): FirstDifference | undefined => {
  const { signed } = message
  const canonical = firstDifference('canonical_request', {
    signed: signed?.canonicalRequest ?? decodeOctets(canonicalText(found)),
    computed: decodeOctets(canonicalText(computed)),
  })
  // Two hashes explain nothing; the hashed bodies do.
  if (canonical?.name === 'payload' && found.body !== undefined) {
    return firstDifference('body', { signed: found.body, computed: message.body }) ?? canonical
  }
  return (
    canonical ??
    firstDifference('string_to_sign', {
      signed: signed?.stringToSign ?? decodeOctets(textToSign(found)),
      computed: decodeOctets(textToSign(computed)),
    })
  )
}

const signingMistakes: Readonly<Record<SigningMistake, Mistake>> = {
  ...headerMistakes,
  ...payloadMistakes,
  ...addressMistakes,
  ...textMistakes,
  ...keyMistakes,
}
