import { toBase64url } from './bytes.ts'
import type { RandomSource } from './random.ts'

export const idPrefixes = {
  rp: 'rp',
  accessKey: 'ak',
  account: 'acc',
  device: 'dev',
  phone: 'phn',
  lease: 'lse',
  token: 'tok',
  snapshot: 'snp',
  root: 'root',
  prompt: 'prm',
  request: 'req',
  run: 'run',
} as const satisfies Record<string, string>

export type IdKind = keyof typeof idPrefixes

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Ids are built from pairs of letters for speed, since every request gets one. */
const PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second))

/** `<prefix>_` and 80 random bits as 16 characters without look-alikes. */
export const makeId = (kind: IdKind, source: RandomSource): string => {
  const bytes = source.bytes(16)
  let text = `${idPrefixes[kind]}_`
  for (let i = 0; i < 16; i += 2) text += PAIRS[((bytes[i] ?? 0) & 31) * 32 + ((bytes[i + 1] ?? 0) & 31)]
  return text
}

/** A message id is exactly 128 random bits, base64url: it must fit a QR code. */
export const makeMessageId = (source: RandomSource): string => toBase64url(source.bytes(16))

export const MAIN_WORKSPACE = 'main'

const WORKSPACE_ID = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** Workspace ids are chosen by people and appear in paths. */
export const isWorkspaceId = (text: string): boolean => WORKSPACE_ID.test(text)
