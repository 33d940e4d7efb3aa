import { svcDay } from './time.ts'

export const ALGORITHM = 'SVC-HMAC-SHA256'

export const SCOPE_MODULE = 'fido-server'

/** interface.md, "Step 2": four lines joined by newline, no trailing newline. */
export const stringToSign = (parts: {
  readonly algorithm?: string
  readonly date: string
  readonly scope: string
  /** Lower-case hex SHA-256 of the canonical request. */
  readonly canonicalRequestHash: string
}): string => `${parts.algorithm ?? ALGORITHM}\n${parts.date}\n${parts.scope}\n${parts.canonicalRequestHash}`

export const scopeOf = (identifier: string): string => `${SCOPE_MODULE}/${identifier}`

/** `fido-server/<identifier>`; an identifier that is a date must be X-Svc-Date's day. Undefined: the scope is good. */
export const scopeProblem = (scope: string, svcDate: string): string | undefined => {
  if (!scope.startsWith(`${SCOPE_MODULE}/`)) {
    return `Expected "${SCOPE_MODULE}/<identifier>", got ${JSON.stringify(scope)}.`
  }
  const identifier = scope.slice(SCOPE_MODULE.length + 1)
  if (/^\d{8}$/.test(identifier) && identifier !== svcDay(svcDate)) {
    return `The scope's date is ${identifier}, X-Svc-Date's day is ${svcDay(svcDate)}.`
  }
  return undefined
}
