import { octetsOf, textOf } from './bytes.ts'
import type { Coded } from './coded.ts'
import { svcDay } from './time.ts'

export const ALGORITHM = 'SVC-HMAC-SHA256'

export const SCOPE_MODULE = 'fido-server'

/** docs/interface/signing.md, "String to sign": four lines joined by newline, no trailing newline. */
export const stringToSign = (parts: {
  readonly algorithm?: string
  readonly date: string
  readonly scope: string
  /** Lower-case hex SHA-256 of the canonical request. */
  readonly canonicalRequestHash: string
}): string => `${parts.algorithm ?? ALGORITHM}\n${parts.date}\n${parts.scope}\n${parts.canonicalRequestHash}`

/** docs/interface/signing.md: a scope is UTF-8; here it has one character for each octet, as everything that is signed. */
export const scopeOf = (identifier: string): string => `${SCOPE_MODULE}/${octetsOf(identifier)}`

/** The text behind the module; undefined where the module is another. */
export const identifierOf = (scope: string): string | undefined =>
  scope.startsWith(`${SCOPE_MODULE}/`) ? textOf(scope.slice(SCOPE_MODULE.length + 1)) : undefined

export type ScopeProblemParams = {
  readonly scope_expected: { readonly module: string; readonly got: string }
  readonly scope_date: { readonly scope: string; readonly date: string }
}

/**
 * `fido-server/<identifier>`; an identifier whose first part is eight digits names a date, which must be X-Svc-Date's
 * day. Undefined: the scope is good.
 */
export const scopeProblem = (scope: string, svcDate: string): Coded<ScopeProblemParams> | undefined => {
  const identifier = identifierOf(scope)
  if (identifier === undefined) {
    return { code: 'scope_expected', params: { module: SCOPE_MODULE, got: JSON.stringify(textOf(scope)) } }
  }
  const [first = ''] = identifier.split('/')
  if (/^\d{8}$/.test(first) && first !== svcDay(svcDate)) {
    return { code: 'scope_date', params: { scope: first, date: svcDay(svcDate) } }
  }
  return undefined
}
