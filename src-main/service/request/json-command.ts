import type { Refusal } from '../../contract/errors.ts'
import { parseJsonBody } from '../../http/json-body.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Result } from '../../protocol/result.ts'
import type { RequestContext } from '../services.ts'

export const bodyOf = ({ request }: RequestContext): Result<JsonObject, Refusal> =>
  parseJsonBody(request.headers, request.body)
