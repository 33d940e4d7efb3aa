import { createHash, timingSafeEqual } from 'node:crypto'
import type { ControlRoute } from '../../core/contract/control/route.ts'
import type { Body } from '../../core/contract/control/routes.ts'
import { type TokenState, tokenState } from '../../core/contract/control/token-routes.ts'
import { notFound, quotaReached, type Refusal, refuse } from '../../core/contract/errors.ts'
import { fitsSchema } from '../../core/contract/validate.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import { MAIN_WORKSPACE, makeId } from '../../core/protocol/ids.ts'
import { isObject } from '../../core/protocol/json.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import type { TokenNeeds } from '../../core/protocol/reasons.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { createKeyedQueue } from '../../core/protocol/turns.ts'
import { findHeader, type RequestHead } from '../../http/message.ts'
import type { Admin } from '../../service/admin/create-admin.ts'

/** Tokens limited to workspaces. Only their hashes are kept. */
export type Tokens = Awaited<ReturnType<typeof createTokens>>

type StoredToken = TokenState & { readonly hash: string }

type Known = { readonly kept: StoredToken; readonly revoked: AbortController }

const DOCUMENT = 'tokens'

export const createTokens = async (parts: {
  readonly admin: Pick<Admin, 'documents' | 'workspaces'>
  readonly source: RandomSource
  readonly real: Clock
}) => {
  const { admin, source, real } = parts
  const ids = async (): Promise<ReadonlySet<string>> => new Set((await admin.workspaces.list()).map(({ id }) => id))
  const there = await ids()
  const tokens = new Map<string, Known>()
  for (const kept of keptOf(await admin.documents.get(DOCUMENT))) {
    const workspaces = kept.workspaces.filter((id) => there.has(id))
    tokens.set(kept.id, { kept: { ...kept, workspaces }, revoked: new AbortController() })
  }
  const { inTurn } = createKeyedQueue()
  const all = (): readonly StoredToken[] => [...tokens.values()].map(({ kept }) => kept)
  const write = (kept: readonly StoredToken[]): Promise<void> => admin.documents.set(DOCUMENT, kept)
  const without = (workspace: string): boolean => {
    const naming = [...tokens.values()].filter(({ kept }) => kept.workspaces.includes(workspace))
    for (const { kept, revoked } of naming) {
      const workspaces = kept.workspaces.filter((id) => id !== workspace)
      tokens.set(kept.id, { kept: { ...kept, workspaces }, revoked })
    }
    return naming.length > 0
  }

  return {
    list: (): readonly TokenState[] => all().map(withoutHash),
    find: (secret: string) => {
      const known = tokens.get(secret.slice(0, Math.max(0, secret.indexOf('.'))))
      return known !== undefined && timingSafeEqual(sha256(secret), Buffer.from(known.kept.hash, 'hex'))
        ? { token: withoutHash(known.kept), revoked: known.revoked.signal }
        : undefined
    },
    /** The workspaces must exist: the token must not see one that another caller opens later under that name. */
    create: (wanted: Body<'tokens.create'>) =>
      inTurn(DOCUMENT, async (): Promise<Result<{ readonly token: TokenState; readonly secret: string }, Refusal>> => {
        const id = makeId('token', source)
        const secret = `${id}.${toBase64url(source.bytes(24))}`
        const { name = id, workspaces = [], may_open = 0, quota = {}, reveal_secrets = false } = wanted
        const open = await ids()
        const absent = workspaces.find((workspace) => !open.has(workspace))
        if (absent !== undefined) return err(notFound('workspace', absent))
        const token: TokenState = { id, name, workspaces, may_open, quota, reveal_secrets, created_at: real.now() }
        const kept = { ...token, hash: sha256(secret).toString('hex') }
        await write([...all(), kept])
        tokens.set(id, { kept, revoked: new AbortController() })
        return ok({ token, secret })
      }),
    revoke: (id: string) =>
      inTurn(DOCUMENT, async (): Promise<Result<null, Refusal>> => {
        const known = tokens.get(id)
        if (known === undefined) return err(notFound('token', id))
        await write(all().filter((token) => token.id !== id))
        tokens.delete(id)
        known.revoked.abort()
        return ok(null)
      }),
    /** Removes a closed workspace from all tokens: a later one of that name is a different workspace. */
    forgetWorkspace: async (workspace: string): Promise<void> => {
      const named = without(workspace)
      await inTurn(DOCUMENT, async () => {
        // A token created in the meantime may name it too.
        if (without(workspace) || named) await write(all())
      })
    },
  }
}

const withoutHash = ({ hash: _, ...token }: StoredToken): TokenState => token

const keptOf = (document: unknown): readonly StoredToken[] =>
  Array.isArray(document)
    ? document.filter(
        (one): one is StoredToken => isObject(one) && HASH.test(String(one.hash)) && fitsSchema(one, tokenState),
      )
    : []

const HASH = /^[0-9a-f]{64}$/

/** All hashes have one length, so that comparing them reveals nothing of the secret, not even its length. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

export type Caller = { readonly secret: string; readonly limited?: TokenState; readonly revoked?: AbortSignal }

type TokenParts = { readonly token: string; readonly tokens: Tokens; readonly admin: Admin }

export type Callers = ReturnType<typeof createCallers>

export const createCallers = ({ token: own, tokens, admin }: TokenParts) => {
  const whole = sha256(own)

  /** A workspace belongs to the token that opened it; all belong to the bench's own. */
  const owns = ({ limited }: Caller, workspace: string): boolean =>
    limited === undefined || admin.workspaces.about(workspace).opened_by === limited.id
  const sees = (caller: Caller, workspace: string): boolean =>
    owns(caller, workspace) || caller.limited?.workspaces.includes(workspace) === true

  return {
    of: ({ headers }: Pick<RequestHead, 'headers'>): Caller | undefined => {
      const secret = readBearer({ headers })
      if (secret === undefined) return undefined
      if (timingSafeEqual(sha256(secret), whole)) return { secret }
      const found = tokens.find(secret)
      return found && { secret, limited: found.token, revoked: found.revoked }
    },
    sees,
    owns,
    seen: async (caller: Caller) => (await admin.workspaces.list()).filter(({ id }) => sees(caller, id)),
    /** Undefined if the caller may use the route. A workspace that it does not see is refused as missing. */
    refusal: (caller: Caller, route: ControlRoute, workspace: string): Refusal | undefined => {
      if (caller.limited === undefined) return undefined
      if (route.scope === 'bench') {
        return route.limited === true ? undefined : tokenLacks('bench')
      }
      if (!sees(caller, workspace)) return refuse('no_route')
      return route.reveals === true && !canRevealSecrets(caller) ? tokenLacks('reveal') : undefined
    },
    /** Undefined if a limited token may open this workspace. */
    refusalToOpen: async (
      caller: Caller,
      token: TokenState,
      { quota, seed, lease }: Body<'workspaces.create'>,
    ): Promise<Refusal | undefined> => {
      if (caller.revoked?.aborted === true) return refuse('control_token')
      if (token.may_open === 0) return tokenLacks('open')
      if (quota !== undefined) return tokenLacks('quota')
      if (seed !== undefined && !token.reveal_secrets) return tokenLacks('reveal')
      if (lease !== undefined && !sees(caller, MAIN_WORKSPACE)) return notFound('lease', lease)
      const own = (await admin.workspaces.list()).filter(({ id }) => owns(caller, id))
      return own.length < token.may_open ? undefined : quotaReached('workspaces', token.may_open)
    },
  }
}

/** A seed is a secret: anyone who has it can draw the same secrets again. */
export const canRevealSecrets = ({ limited }: Caller): boolean => limited?.reveal_secrets !== false

export const readBearer = ({ headers }: Pick<RequestHead, 'headers'>): string | undefined =>
  /^Bearer ([^\s]+)$/.exec(findHeader(headers, 'authorization') ?? '')?.[1]

export const tokenLacks = (what: TokenNeeds): Refusal =>
  refuse('token_limited', { code: 'token_may_not', params: { what } })

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>

type Inviting = Pick<Caller, 'secret' | 'revoked'>

/** Limit of unused codes per token; the oldest are dropped. */
const MAX_OPEN = 100

/** One-time codes: others may see a page's address, so the code in it opens only one session. */
export const createOneTimeCodes = (options: { readonly token: string; readonly source: RandomSource }) => {
  const codes = new Map<string, Inviting>()
  return {
    /** The session has the rights of the inviting token, or of the bench's own token. */
    invite: (caller: Inviting = { secret: options.token }): string => {
      const code = toBase64url(options.source.bytes(16))
      codes.set(code, caller)
      const own = [...codes].filter(([, { secret }]) => secret === caller.secret)
      for (const [oldest] of own.slice(0, -MAX_OPEN)) codes.delete(oldest)
      return code
    },
    redeem: (code: string): Result<string, Refusal> => {
      // A code stays valid until it is used: it may have been printed hours before the page is opened.
      const inviting = codes.get(code)
      codes.delete(code)
      return inviting === undefined || inviting.revoked?.aborted === true
        ? err(refuse('control_token', { code: 'code_used' }))
        : ok(inviting.secret)
    },
  }
}
