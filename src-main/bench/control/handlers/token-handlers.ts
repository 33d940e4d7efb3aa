import type { tokenRoutes } from '../../../core/contract/control/token-routes.ts'
import { MAIN_WORKSPACE } from '../../../core/protocol/ids.ts'
import { ok } from '../../../core/protocol/result.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Handlers, RouteIds } from '../handler.ts'

export const tokenHandlers = ({ tokens, recorder }: ControlParts): Handlers<RouteIds<typeof tokenRoutes>> => {
  const record = (change: 'created' | 'revoked', id: string, detail: Readonly<Record<string, unknown>> = {}): void =>
    recorder.observe(MAIN_WORKSPACE, {
      actor: { kind: 'control' },
      kind: 'setting',
      subject: 'token',
      change,
      id,
      detail,
    })

  return {
    'tokens.list': async () => ok({ tokens: tokens.list() }),
    'tokens.create': async ({ body }) => {
      const made = await tokens.create(body)
      if (made.ok) record('created', made.value.token.id, made.value.token)
      return made
    },
    'tokens.revoke': async ({ params: { id } }) => {
      const revoked = await tokens.revoke(id)
      if (!revoked.ok) return revoked
      record('revoked', id)
      return ok({})
    },
  }
}
