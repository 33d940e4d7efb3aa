import { answer, type NoneBut, object, type Route, type RouteTable } from '../schema.ts'

export type ControlRoute = Route & {
  /** `bench`: only without a workspace in the address. `workspace`: also as `/w/<id>/control/v1…`. */
  readonly scope: 'bench' | 'workspace'
  /** Scope `bench` only: also open to tokens limited to workspaces; the answer has only the token's workspaces. */
  readonly limited?: true
  /** Answers with secrets: each call is an event, and a limited token needs permission. */
  readonly reveals?: true
  /** The answer may have many megabytes. */
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

type Head<S, M, P> = { readonly scope: S; readonly method: M; readonly path: P; readonly summary: string }
type Parts = Partial<Omit<ControlRoute, keyof Head<never, never, never>>>

/** One maker for each method; they keep the types of scope, method, path and schemas. */
const makersOf = <const S extends ControlRoute['scope']>(scope: S) => {
  const makerOf =
    <const M extends ControlRoute['method']>(method: M) =>
    <const P extends ControlRoute['path'], R extends Parts = Record<never, never>>(
      path: P,
      summary: string,
      parts?: R & NoneBut<keyof Parts, R>,
    ) =>
      ({ scope, method, path, summary, ...USUAL[method], ...parts }) as unknown as Head<S, M, P> &
        Omit<(typeof USUAL)[M], keyof R> &
        R
  return {
    ...{ get: makerOf('GET'), put: makerOf('PUT'), patch: makerOf('PATCH') },
    ...{ post: makerOf('POST'), del: makerOf('DELETE') },
  }
}

export const onBench = makersOf('bench')
export const { get, put, patch, post, del } = makersOf('workspace')

/** Response header: the number of the workspace's latest event when the answer was made. */
export const LAST_EVENT = 'X-Last-Event'
