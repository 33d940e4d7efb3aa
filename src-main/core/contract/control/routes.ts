import type { DataOf, Part } from '../schema.ts'
import { adminRoutes } from './admin-routes.ts'
import { benchRoutes } from './bench-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { leaseRoutes } from './lease-routes.ts'
import { phoneRoutes } from './phone-routes.ts'
import { resendRoutes } from './resend-routes.ts'
import type { ControlRoute } from './route.ts'
import { catalogueRoutes, serviceFaultRoutes } from './service-fault-routes.ts'
import { simulatorRoutes } from './simulator-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

export const CONTROL_PREFIX = '/control/v1'

/** The whole control interface on one table. */
export const routes = {
  ...benchRoutes,
  ...tokenRoutes,
  ...workspaceRoutes,
  ...serviceFaultRoutes,
  ...adminRoutes,
  ...eventRoutes,
  ...resendRoutes,
  ...phoneRoutes,
  ...leaseRoutes,
  ...catalogueRoutes,
  ...simulatorRoutes,
} as const

type Routes = typeof routes
export type RouteId = keyof Routes

export type Params<Id extends RouteId> = Part<Routes[Id], 'params'>
export type Query<Id extends RouteId> = Part<Routes[Id], 'query'>
export type Body<Id extends RouteId> = Part<Routes[Id], 'body'>
export type Data<Id extends RouteId> = DataOf<Routes[Id]>

export const routeOf = (id: RouteId): ControlRoute => routes[id]
