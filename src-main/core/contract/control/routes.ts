import type { DataOf, Interface, Part } from '../schema.ts'
import { benchRoutes } from './bench-routes.ts'
import { credentialRoutes, messageRoutes, rootRoutes } from './credential-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { leaseRoutes } from './lease-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { phoneRoutes } from './phone-routes.ts'
import type { ControlRoute, ControlRoutes } from './route.ts'
import { rpRoutes } from './rp-routes.ts'
import { catalogueRoutes, serviceFaultRoutes } from './service-fault-routes.ts'
import { resendRoutes, simulatorRoutes } from './simulator-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

export const CONTROL_PREFIX = '/control/v1'

export const adminRoutes = {
  ...rpRoutes,
  ...messageRoutes,
  ...credentialRoutes,
  ...peopleRoutes,
  ...rootRoutes,
} as const satisfies ControlRoutes

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

export const controlInterface = (version: string): Interface<ControlRoute> => ({
  title: 'Handset control',
  version,
  description:
    'Everything that the page, the command line and scripts do to a bench. What belongs to a workspace is at this address for the workspace main, and below /w/{id} for any other.',
  servers: [
    { url: CONTROL_PREFIX },
    { url: `/w/{workspace}${CONTROL_PREFIX}`, variables: { workspace: { default: 'main' } } },
  ],
  serversOf: ({ scope }) => (scope === 'bench' ? [{ url: CONTROL_PREFIX }] : undefined),
  routes,
  security: { name: 'token', scheme: { type: 'http', scheme: 'bearer' } },
})
