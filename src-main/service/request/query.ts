import { type Refusal, refuse } from '../../contract/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { invalid } from './fields.ts'

/**
 * The one value of a query parameter. Repeated with the same value is harmless, with another it is 40004. As in the
 * canonical query, `+` is a plus.
 */
export const queryValue = (query: string, name: string): Result<string | undefined, Refusal> => {
  let found: string | undefined
  for (const part of query.includes('&') ? query.split('&') : [query]) {
    const equals = part.indexOf('=')
    if (decode(equals < 0 ? part : part.slice(0, equals)) !== name) continue
    const value = decode(equals < 0 ? '' : part.slice(equals + 1))
    if (value === undefined) return err(invalid(name, 'it is not percent-encoded UTF-8.'))
    if (found !== undefined && found !== value) {
      return err(refuse('conflicting_parameters', `${name} stands twice, with different values.`))
    }
    found = value
  }
  return ok(found)
}

const decode = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
