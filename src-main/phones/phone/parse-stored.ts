import type { Expected } from '../../core/contract/expected.ts'
import { type FieldProblem, within } from '../../core/contract/reasons.ts'
import type { Schema, ValueOf } from '../../core/contract/schema.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { Steps } from '../../core/protocol/slices.ts'
import type { StoredDocument, StoredWorkspace } from './storage/phone-storage.ts'
import { keptCredential, makersForm, phoneRecord, storedWorkspace } from './stored-form.ts'

/** Reading a private key costs more than its text. */
const KEY_COST = 10_000

/** Phones from a file that anybody may have written. The refusal names the first field that is not what is stored there. */
export function* parseStoredWorkspace(input: unknown): Steps<Result<StoredWorkspace, FieldProblem>> {
  const problem = findProblem(input, storedWorkspace) ?? (yield* problemWithin(input as StoredWorkspace))
  return problem === undefined ? ok(input as StoredWorkspace) : err(withoutValue(within('phones', problem)))
}

function* problemWithin({ makers, phones }: StoredWorkspace): Steps<FieldProblem | undefined> {
  if (makers !== undefined) {
    const problem = problemOfJson(makers, makersForm)
    if (problem !== undefined) return within('makers', problem)
  }
  const checkPhone = documentCheck(phoneRecord, (phone) => phone.id)
  for (const [i, phone] of phones.entries()) {
    const at = `phones[${i}]`
    const problem = checkPhone(phone, at)
    if (problem !== undefined) return problem
    yield phone.json.length
    const checkKept = documentCheck(keptCredential, ({ credential }) => credential.id)
    for (const [n, kept] of phone.chip.entries()) {
      const wrong = checkKept(kept, `${at}.chip[${n}]`)
      if (wrong !== undefined) return wrong
      yield KEY_COST + kept.json.length
    }
  }
  return undefined
}

/** Told of one document after the other: whether its JSON has this form and the document's own id, which no other has. */
const documentCheck = <S extends Schema>(schema: S, idOf: (document: ValueOf<S>) => string) => {
  const seen = new Map<string, string>()
  return ({ id, json }: StoredDocument, at: string): FieldProblem | undefined => {
    const problem = problemOfJson(json, schema)
    if (problem !== undefined) return within(`${at}.json`, problem)
    const field = `${at}.id`
    if (idOf(JSON.parse(json) as ValueOf<S>) !== id) return unfit(field, { code: 'id_of_document' })
    const other = seen.get(id)
    if (other !== undefined) return { code: 'field_repeats', params: { field, other, value: JSON.stringify(id) } }
    seen.set(id, at)
    return undefined
  }
}

const problemOfJson = (json: string, schema: Schema): FieldProblem | undefined => {
  try {
    return findProblem(JSON.parse(json), schema)
  } catch {
    return unfit('', { code: 'json' })
  }
}

const unfit = (field: string, expected: Expected): FieldProblem => ({
  code: 'field_unfit',
  params: { field, expected },
})

/** What is stored there may be a secret. */
const withoutValue = (problem: FieldProblem): FieldProblem =>
  problem.code === 'field_unfit' ? unfit(problem.params.field, problem.params.expected) : problem
