import { type JsonObject, parseJsonBody } from '../http/json-body.ts'
import type { Refusal } from '../protocol/errors.ts'
import type { Result } from '../protocol/result.ts'
import type { Turn } from './services.ts'

export const bodyOf = ({ request }: Turn): Result<JsonObject, Refusal> => parseJsonBody(request.headers, request.body)
