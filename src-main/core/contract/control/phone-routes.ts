import { phoneFaultRoutes } from './phone-fault-routes.ts'
import { phoneHandRoutes } from './phone-hand-routes.ts'
import { phoneLifeRoutes } from './phone-life-routes.ts'
import { phoneMakingRoutes } from './phone-making-routes.ts'
import type { ControlRoutes } from './route.ts'

/** The virtual phones, by subject. */
export const phoneRoutes = {
  ...phoneMakingRoutes,
  ...phoneHandRoutes,
  ...phoneLifeRoutes,
  ...phoneFaultRoutes,
} as const satisfies ControlRoutes
