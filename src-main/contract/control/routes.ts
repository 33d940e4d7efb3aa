import type { Schema, ValueOf } from '../schema.ts'
import { adminRoutes } from './admin-routes.ts'
import { benchRoutes } from './bench-routes.ts'
import { catalogueRoutes } from './catalogue-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { phoneRoutes } from './phone-routes.ts'
import type { Route } from './route.ts'
import { simulatorRoutes } from './simulator-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

export const CONTROL_PREFIX = '/control/v1'

/** The whole control interface on one table. */
export const routes = {
  ...benchRoutes,
  ...workspaceRoutes,
  ...adminRoutes,
  ...eventRoutes,
  ...phoneRoutes,
  ...catalogueRoutes,
  ...simulatorRoutes,
} as const

type Routes = typeof routes
export type RouteId = keyof Routes

type Part<Id extends RouteId, K extends 'params' | 'query' | 'body'> = Routes[Id] extends { readonly [P in K]: infer S }
  ? S extends Schema
    ? ValueOf<S>
    : undefined
  : undefined

export type Params<Id extends RouteId> = Part<Id, 'params'>
export type Query<Id extends RouteId> = Part<Id, 'query'>
export type Body<Id extends RouteId> = Part<Id, 'body'>
export type Data<Id extends RouteId> = ValueOf<Routes[Id]['data']>

export const routeOf = (id: RouteId): Route => routes[id]
