import { fromBase64 } from '../../core/judge/base64.ts'
import { decodeCertificate } from '../../core/judge/certificate.ts'
import type { Bytes } from '../../core/protocol/bytes.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../core/protocol/json.ts'

/** Options with a challenge, at the top level or within `publicKey`; undefined if the text contains none. */
export const parseOptions = (text: string): JsonObject | undefined => optionsIn(parseJsonOrNothing(text))

export const optionsIn = (value: unknown): JsonObject | undefined => {
  const own = isObject(value) && isObject(value.publicKey) ? value.publicKey : value
  return isObject(own) && typeof own.challenge === 'string' ? own : undefined
}

export const looksLikeOrigin = (text: string): boolean => URL.canParse(text) || text.startsWith('android:')

/** Undefined if there is none, or if one is invalid. */
export const parseRoots = (text: string): readonly Bytes[] | undefined => {
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g)]
  const roots = blocks.flatMap(([, body = '']) => fromBase64(body.replace(/\s+/g, '')) ?? [])
  return roots.length > 0 && roots.every((root) => decodeCertificate(root).ok) ? roots : undefined
}
