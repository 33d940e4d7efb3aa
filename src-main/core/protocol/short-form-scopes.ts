import { scopeOf, scopeProblem } from './string-to-sign.ts'
import { svcDay } from './time.ts'

/** Sources of a scope's identifier when the header names no scope. */
export type ScopeSources = {
  readonly accessKeyId: string
  /** The RP's own id, and its RP ID. */
  readonly rp: string
  readonly rpId: string
  /** Profile `short_form_identifiers`. */
  readonly named: readonly string[]
}

/** The scopes that a request of the short form may have been signed with, likelier ones first, each once. */
export const shortFormScopes = ({ accessKeyId, rp, rpId, named }: ScopeSources, svcDate: string): readonly string[] => {
  const identifiers = new Set(['', accessKeyId, svcDay(svcDate), rp, rpId, ...named])
  return [...identifiers].map(scopeOf).filter((scope) => scopeProblem(scope, svcDate) === undefined)
}

/** The same for people, without naming a key or an RP. */
export const shownShortFormScopes = (named: readonly string[], svcDate: string): readonly string[] =>
  shortFormScopes({ accessKeyId: '<access_key_id>', rp: '<rp>', rpId: '<rp_id>', named }, svcDate)
