import { type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

/**
 * The parameters of these names, one value each. Repeated with the same value is harmless, with another it is 40004. As
 * in the canonical query, `+` is a plus.
 */
export const parseQuery = (
  query: string,
  known: Readonly<Record<string, unknown>>,
): Result<Readonly<Record<string, string>>, Refusal> => {
  const found: Record<string, string> = {}
  if (query === '') return ok(found)
  for (const part of query.includes('&') ? query.split('&') : [query]) {
    const equals = part.indexOf('=')
    const name = nameAmong(known, decode(equals < 0 ? part : part.slice(0, equals)))
    if (name === undefined) continue
    const value = decode(equals < 0 ? '' : part.slice(equals + 1))
    if (value === undefined) {
      return err(refuseField({ code: 'field_encoding', params: { field: name } }))
    }
    if (Object.hasOwn(found, name) && found[name] !== value) {
      return err(refuse('conflicting_parameters', { code: 'field_contradicts', params: { field: name } }))
    }
    found[name] = value
  }
  return ok(found)
}

/** The name as the contract has it: a text cut out of a query is a slow key. */
const nameAmong = (known: Readonly<Record<string, unknown>>, wanted: string | undefined): string | undefined => {
  for (const name in known) if (name === wanted) return name
  return undefined
}

const decode = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
