import { timingSafeEqual } from 'node:crypto'
import type { ControlRoute } from '../../core/contract/control/route.ts'
import type { TokenState } from '../../core/contract/control/token-routes.ts'
import { type Refusal, refuse, type TokenNeeds } from '../../core/contract/errors.ts'
import { headerOf, type RequestHead } from '../../http/message.ts'
import type { Admin } from '../../service/admin/admin.ts'
import { sha256, type Tokens } from './tokens.ts'

/** Has the bench's own token, or one that is limited to workspaces until it is revoked. */
export type Caller = { readonly secret: string; readonly limited?: TokenState; readonly revoked?: AbortSignal }

export type Callers = {
  of(head: Pick<RequestHead, 'headers'>): Caller | undefined
  sees(caller: Caller, workspace: string): boolean
  /** A workspace belongs to the token that opened it; all belong to the bench's own. */
  owns(caller: Caller, workspace: string): boolean
  /** Undefined if the caller may use the route. A workspace that it does not see is refused as missing. */
  refusal(caller: Caller, route: ControlRoute, workspace: string): Refusal | undefined
}

export const createCallers = (parts: {
  readonly token: string
  readonly tokens: Tokens
  readonly admin: Admin
}): Callers => {
  const { tokens, admin } = parts
  const whole = sha256(parts.token)

  const owns = ({ limited }: Caller, workspace: string): boolean =>
    limited === undefined || admin.workspaces.about(workspace).opened_by === limited.id
  const sees = (caller: Caller, workspace: string): boolean =>
    owns(caller, workspace) || caller.limited?.workspaces.includes(workspace) === true

  return {
    of: ({ headers }) => {
      const secret = bearerOf({ headers })
      if (secret === undefined) return undefined
      if (timingSafeEqual(sha256(secret), whole)) return { secret }
      const found = tokens.find(secret)
      return found && { secret, limited: found.token, revoked: found.revoked }
    },
    sees,
    owns,
    refusal: (caller, route, workspace) => {
      if (caller.limited === undefined) return undefined
      if (route.scope === 'bench') {
        return route.limited === true ? undefined : tokenMayNot('bench')
      }
      if (!sees(caller, workspace)) return refuse('no_route')
      return route.reveals === true && !revealsSecrets(caller) ? tokenMayNot('reveal') : undefined
    },
  }
}

/** A seed is a secret: anyone who has it can draw the same secrets again. */
export const revealsSecrets = ({ limited }: Caller): boolean => limited?.reveal_secrets !== false

export const bearerOf = ({ headers }: Pick<RequestHead, 'headers'>): string | undefined =>
  /^Bearer ([^\s]+)$/.exec(headerOf(headers, 'authorization') ?? '')?.[1]

export const tokenMayNot = (what: TokenNeeds): Refusal =>
  refuse('token_limited', { code: 'token_may_not', params: { what } })
