import type { benchRoutes } from '../../contract/control/bench-routes.ts'
import type { WorkspaceState } from '../../contract/control/states.ts'
import { notFound } from '../../contract/errors.ts'
import { MAIN_WORKSPACE } from '../../protocol/ids.ts'
import { err, ok } from '../../protocol/result.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Handlers, RouteIds } from '../handler.ts'
import { addressesOf } from './addresses-of.ts'

export const benchHandlers = (parts: ControlParts): Handlers<RouteIds<typeof benchRoutes>> => {
  const { admin, info, leases, recorder, seedOf, sessions, workspaces } = parts

  const stateOf = (id: string): WorkspaceState => ({
    id,
    seed: seedOf(id) ?? null,
    last_seq: recorder.lastSeq(id),
    ...addressesOf(parts, id),
  })
  const ids = async (): Promise<readonly string[]> => (await admin.workspaces.list()).map(({ id }) => id)

  return {
    'bench.info': async ({ workspace }) =>
      ok({
        version: info.version,
        control_version: 1 as const,
        pid: info.pid,
        node: info.node,
        data_directory: info.dataDirectory ?? null,
        workspaces: await ids(),
        ...addressesOf(parts, workspace),
      }),
    'session.open': async ({ body }) => {
      const token = sessions.redeem(body.code)
      return token.ok ? ok({ token: token.value }) : token
    },
    'session.invite': async ({ body: { workspace = MAIN_WORKSPACE } }) => {
      if (!(await ids()).includes(workspace)) return err(notFound('workspace', workspace))
      const code = sessions.invite()
      return ok({ code, url: `${parts.addresses.uiUrl(workspace)}#code=${code}` })
    },
    'workspaces.list': async () =>
      ok({
        workspaces: (await admin.workspaces.list()).map(({ id, problem }) => ({
          ...stateOf(id),
          ...(problem === undefined ? {} : { problem }),
        })),
      }),
    'workspaces.create': async ({ workspace, body: { lease, ...wanted } }) => {
      const create = () => workspaces.create(wanted)
      const created = await (lease === undefined ? create() : leases.makeWorkspace({ workspace, lease }, create))
      return created.ok ? ok(stateOf(created.value)) : created
    },
    'workspaces.get': async ({ params }) =>
      (await ids()).includes(params.id) ? ok(stateOf(params.id)) : err(notFound('workspace', params.id)),
    'workspaces.close': async ({ params }) => {
      const closed = await workspaces.close(params.id)
      return closed.ok ? ok({}) : closed
    },
  }
}
