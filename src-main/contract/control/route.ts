import type { Route, RouteTable } from '../route.ts'

/** One line of the control interface. */
export type ControlRoute = Route & {
  /** `bench`: only without a workspace in the address. `workspace`: also as `/w/<id>/control/v1…`. */
  readonly scope: 'bench' | 'workspace'
  /** Its answer may have many megabytes. */
  readonly large?: true
}

export type ControlRoutes = RouteTable<ControlRoute>
