import { errors, type Refusal } from '../../core/contract/errors.ts'
import type { Profile } from '../../core/contract/profile.ts'
import type { Result } from '../../core/protocol/result.ts'
import { dataResponse, refusalResponse } from '../../http/envelope-response.ts'
import type { RawResponse } from '../../http/message.ts'

/** Result → envelope → bytes. */
export const respond = (result: Result<unknown, Refusal>, profile: Pick<Profile, 'http_status'>): RawResponse => {
  if (result.ok) return dataResponse(result.value)
  const status = profile.http_status === 'always-200' ? 200 : errors[result.error.name].status
  return refusalResponse(result.error, status)
}

export const codeOf = (result: Result<unknown, Refusal>): number => (result.ok ? 0 : errors[result.error.name].code)
