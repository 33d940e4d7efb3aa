import type { Messages } from '../messages.ts'
import { advice } from './advice.ts'
import { errors } from './errors.ts'
import { evidence } from './evidence.ts'
import { expected } from './expected.ts'
import { failures, results } from './failures.ts'
import { faults } from './faults.ts'
import { links } from './links.ts'
import { opinions } from './opinions.ts'
import { phoneProblems } from './phones.ts'
import { reasons } from './reasons.ts'
import { carefulActs, serviceFaults } from './service-faults.ts'
import { signingMistakes } from './signing-mistakes.ts'
import { checks, notes, steps } from './steps.ts'

/** 简体中文. */
export const zh: Messages = {
  errors,
  advice,
  reasons,
  expected,
  failures,
  results,
  steps,
  checks,
  notes,
  evidence,
  faults,
  serviceFaults,
  carefulActs,
  phoneProblems,
  links,
  signingMistakes,
  opinions,
}
