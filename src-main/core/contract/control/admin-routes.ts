import { credentialRoutes } from './credential-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { rootRoutes } from './root-routes.ts'
import type { ControlRoutes } from './route.ts'
import { rpRoutes } from './rp-routes.ts'

export const adminRoutes = {
  ...rpRoutes,
  ...messageRoutes,
  ...credentialRoutes,
  ...peopleRoutes,
  ...rootRoutes,
} as const satisfies ControlRoutes
