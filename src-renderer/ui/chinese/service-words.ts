import type { ServiceWords } from '../service-words.ts'
import { errors } from './errors.ts'
import { evidence } from './evidence.ts'
import { failures, overrulings } from './failures.ts'
import { faults } from './faults.ts'
import { phoneModels, phoneProblems } from './phones.ts'
import { profileGroups, profileSentences, profileUnits, relaxedRules } from './profile.ts'
import { checks, notes, steps } from './steps.ts'

/** 简体中文. What the tables of the service say in English, by the same keys. */
export const chineseServiceWords = {
  failures: { ...failures, ...overrulings },
  steps,
  checks,
  evidence,
  notes,
  faults,
  errors,
  phoneProblems,
  phoneModels,
  profileSentences,
  profileGroups,
  profileUnits,
  relaxedRules,
} satisfies ServiceWords
