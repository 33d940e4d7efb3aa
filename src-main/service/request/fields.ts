import { type Refusal, refuse } from '../../contract/errors.ts'

/** What no schema can say of a parameter: the refusal names it. */
export const invalid = (parameter: string, detail: string): Refusal =>
  refuse('invalid_parameter', `${parameter}: ${detail}`, { data: { parameter } })

export const missing = (parameter: string): Refusal =>
  refuse('missing_parameter', `${parameter} is required.`, { data: { parameter } })
