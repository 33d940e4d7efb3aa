import type { Route, RouteTable } from '../schema.ts'

/** One line of the control interface. */
export type ControlRoute = Route & {
  /** `bench`: only without a workspace in the address. `workspace`: also as `/w/<id>/control/v1…`. */
  readonly scope: 'bench' | 'workspace'
  /** Of `bench`: also for tokens that are limited to workspaces; it shows them no other. */
  readonly limited?: true
  /** Its answer contains secrets: each is an event, and a limited token needs permission. */
  readonly reveals?: true
  /** Its answer may have many megabytes. */
  readonly large?: true
  /**
   * A member of its answer that is a whole document: asked for as `text/html` or `text/markdown`, or with `.html` or
   * `.md` behind the path, it comes alone.
   */
  readonly page?: 'html' | 'markdown'
}

export type ControlRoutes = RouteTable<ControlRoute>

/** Of an answer of the control interface: the number of the workspace's latest event when the answer was made. */
export const LAST_EVENT = 'X-Last-Event'
