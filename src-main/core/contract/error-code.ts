import { errors } from './errors.ts'
import { refined, whole } from './schema.ts'

const CODES: ReadonlySet<number> = new Set(Object.values(errors).map(({ code }) => code))

/** One of the error table. */
export const errorCode = (description: string) =>
  refined(whole(description), (code) => CODES.has(code), { code: 'error_code' })
