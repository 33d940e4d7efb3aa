import { evidence } from './evidence.ts'
import { failures, results } from './failures.ts'
import { faults } from './faults.ts'
import { phoneProblems } from './phones.ts'
import { checks, notes, steps } from './steps.ts'

/** English: what the service and the command line speak. */
export const en = { failures, results, steps, checks, notes, evidence, faults, phoneProblems }
