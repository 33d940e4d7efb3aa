import type { benchRoutes } from '../../../core/contract/control/bench-routes.ts'
import { notFound } from '../../../core/contract/errors.ts'
import { MAIN_WORKSPACE } from '../../../core/protocol/ids.ts'
import { err, ok } from '../../../core/protocol/result.ts'
import { addressesOf, type ControlParts } from '../control-parts.ts'
import type { Handlers, RouteIds } from '../handler.ts'
import type { Caller } from '../tokens.ts'

export const benchHandlers = (
  parts: ControlParts,
): Handlers<Exclude<RouteIds<typeof benchRoutes>, `workspaces.${string}`>> => {
  const { admin, callers, info, sessions } = parts

  const ids = async (caller: Caller): Promise<readonly string[]> =>
    (await admin.workspaces.list()).flatMap(({ id }) => (callers.sees(caller, id) ? [id] : []))

  return {
    'bench.info': async ({ workspace, caller }) =>
      ok({
        version: info.version,
        control_version: 1 as const,
        pid: info.pid,
        node: info.node,
        data_directory: info.dataDirectory ?? null,
        workspaces: await ids(caller),
        ...addressesOf(parts, workspace),
      }),
    'session.open': async ({ body }) => {
      const token = sessions.redeem(body.code)
      return token.ok ? ok({ token: token.value }) : token
    },
    'session.invite': async ({ caller, body: { workspace = MAIN_WORKSPACE } }) => {
      if (!(await ids(caller)).includes(workspace)) return err(notFound('workspace', workspace))
      const code = sessions.invite(caller)
      return ok({ code, url: `${parts.addresses.uiUrl(workspace)}#code=${code}` })
    },
  }
}
