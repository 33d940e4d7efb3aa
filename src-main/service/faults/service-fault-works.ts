import type { ServiceFaultName } from '../../core/contract/service-faults.ts'
import { bodyWorks } from './body-works.ts'
import { connectionWorks } from './connection-works.ts'
import { factWorks } from './fact-works.ts'
import type { Works } from './works.ts'

/** How each fault is committed. */
export const SERVICE_FAULT_WORKS: Readonly<Record<ServiceFaultName, Works>> = {
  ...factWorks,
  ...bodyWorks,
  ...connectionWorks,
}
