import type { FileProblem } from '../../core/contract/scenario/file-problems.ts'
import { isObject } from '../../core/protocol/json.ts'
import { nearest } from '../../core/protocol/nearest.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Expected } from '../../testing/check/told-case.ts'
import { readDocument } from '../../testing/scenario/read-document.ts'

/** Which cases may fail and why, as YAML or JSON: `case-id: reason`. */
export const readExpected =
  (known: readonly string[]) =>
  (text: string): Result<Expected, string | FileProblem> => {
    const document = readDocument(text)
    if (!document.ok) return document
    const value = document.value.value ?? {}
    if (!isObject(value)) return err('it must name cases, each with the reason why it fails, as "case-id: reason".')
    for (const [id, reason] of Object.entries(value)) {
      if (!known.includes(id)) return err(`there is no case "${id}".${hint(id, known)}`)
      if (typeof reason !== 'string' || reason.trim() === '') return err(`${id} needs its reason, as a text.`)
    }
    return ok(value as Expected)
  }

const hint = (id: string, known: readonly string[]): string => {
  const near = nearest(id, known)
  return near === undefined ? ' handset check --list has them.' : ` Did you mean ${near}?`
}
