import { createHash, timingSafeEqual } from 'node:crypto'
import type { Body } from '../contract/control/routes.ts'
import { type TokenState, tokenState } from '../contract/control/token-routes.ts'
import { notFound, type Refusal } from '../contract/errors.ts'
import { fits } from '../contract/validate.ts'
import { toBase64url } from '../protocol/bytes.ts'
import type { Clock } from '../protocol/clock.ts'
import { makeId } from '../protocol/ids.ts'
import { isObject } from '../protocol/json.ts'
import type { RandomSource } from '../protocol/random.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { createTurns } from '../protocol/turns.ts'
import type { Admin } from '../service/admin/admin.ts'

/** Tokens that are limited to workspaces. Only their hashes are kept. */
export type Tokens = {
  list(): readonly TokenState[]
  get(id: string): TokenState | undefined
  /** Whose secret this is. */
  find(secret: string): TokenState | undefined
  create(wanted: Body<'tokens.create'>): Promise<{ readonly token: TokenState; readonly secret: string }>
  revoke(id: string): Promise<Result<null, Refusal>>
  /** Called once it is revoked; the answer takes the listener away. */
  whenRevoked(id: string, listener: () => void): () => void
}

type Kept = TokenState & { readonly hash: string }

const DOCUMENT = 'tokens'

export const createTokens = async (parts: {
  readonly documents: Admin['documents']
  readonly source: RandomSource
  readonly real: Clock
}): Promise<Tokens> => {
  const { documents, source, real } = parts
  const tokens = new Map<string, Kept>(keptOf(await documents.get(DOCUMENT)).map((token) => [token.id, token]))
  const listeners = new Map<string, Set<() => void>>()
  const { inTurn } = createTurns()
  const write = (all: readonly Kept[]): Promise<void> => documents.set(DOCUMENT, all)

  return {
    list: () => [...tokens.values()].map(withoutHash),
    get: (id) => {
      const token = tokens.get(id)
      return token && withoutHash(token)
    },
    find: (secret) => {
      const token = tokens.get(secret.slice(0, Math.max(0, secret.indexOf('.'))))
      return token !== undefined && timingSafeEqual(sha256(secret), Buffer.from(token.hash, 'hex'))
        ? withoutHash(token)
        : undefined
    },
    create: (wanted) =>
      inTurn(DOCUMENT, async () => {
        const id = makeId('token', source)
        const secret = `${id}.${toBase64url(source.bytes(24))}`
        const { name = id, workspaces = [], may_open = 0, quota = {}, reveal_secrets = false } = wanted
        const token: TokenState = { id, name, workspaces, may_open, quota, reveal_secrets, created_at: real.now() }
        const kept = { ...token, hash: sha256(secret).toString('hex') }
        await write([...tokens.values(), kept])
        tokens.set(id, kept)
        return { token, secret }
      }),
    revoke: (id) =>
      inTurn(DOCUMENT, async () => {
        if (!tokens.has(id)) return err(notFound('token', id))
        await write([...tokens.values()].filter((token) => token.id !== id))
        tokens.delete(id)
        for (const revoked of listeners.get(id) ?? []) revoked()
        listeners.delete(id)
        return ok(null)
      }),
    whenRevoked: (id, listener) => {
      const ours = listeners.get(id) ?? new Set()
      listeners.set(id, ours.add(listener))
      return () => {
        ours.delete(listener)
        if (ours.size === 0) listeners.delete(id)
      }
    },
  }
}

const withoutHash = ({ hash: _, ...token }: Kept): TokenState => token

const keptOf = (document: unknown): readonly Kept[] =>
  Array.isArray(document)
    ? document.filter((one): one is Kept => isObject(one) && HASH.test(String(one.hash)) && fits(one, tokenState))
    : []

const HASH = /^[0-9a-f]{64}$/

/** All have one length, so that comparing them tells nothing of the secret, not even its length. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
