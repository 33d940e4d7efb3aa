import type { Result } from '../../src-main/core/protocol/result.ts'

/** The value of what must have gone well. */
export const taken = <T>(result: Result<T, unknown>): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** Why it was refused. */
export const refused = <E>(result: Result<unknown, E>): E => {
  if (result.ok) throw new Error(`not refused: ${JSON.stringify(result.value)}`)
  return result.error
}
