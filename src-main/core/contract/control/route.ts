import { answer, object, type Route, type RouteTable } from '../schema.ts'

export type ControlRoute = Route & {
  /** `bench`: only without a workspace in the address. `workspace`: also as `/w/<id>/control/v1…`. */
  readonly scope: 'bench' | 'workspace'
  /** Scope `bench` only: also open to tokens limited to workspaces, and shows them only those. */
  readonly limited?: true
  /** Answers with secrets: each call is an event, and a limited token needs permission. */
  readonly reveals?: true
  /** Its answer may have many megabytes. */
  readonly large?: true
  /**
   * A member of the answer that is a whole document. It is returned alone if the request accepts `text/html` or
   * `text/markdown`, or if its path ends in `.html` or `.md`.
   */
  readonly page?: 'html' | 'markdown'
}

export type ControlRoutes = RouteTable<ControlRoute>

/** Unless a route has its own, a POST has an empty body, and a DELETE an empty answer. */
const USUAL = { GET: {}, PUT: {}, PATCH: {}, POST: { body: object({}) }, DELETE: { data: answer({}) } } as const

const on =
  <const S extends ControlRoute['scope']>(scope: S) =>
  <const M extends ControlRoute['method'], const P extends string>(method: M, path: P) => ({
    ...{ method, path, scope },
    ...USUAL[method],
  })

export const onBench = on('bench')
export const onWorkspace = on('workspace')

/** Response header: the number of the workspace's latest event when the answer was made. */
export const LAST_EVENT = 'X-Last-Event'
