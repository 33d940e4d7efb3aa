import { type Refusal, refuse } from '../../contract/errors.ts'
import { EVENT_HEAD, EVENT_KINDS, eventKinds } from '../../contract/event-kinds.ts'

type Match = Readonly<Record<string, unknown>>
type Kind = { readonly fields: readonly string[]; readonly changes?: readonly string[] }

/** A match that no event can have would be waited for in vain, and a test that expects nothing to happen would pass. */
export const matchProblem = (match: Match): Refusal | undefined => {
  const kinds = Object.entries<Kind>(eventKinds).filter(([kind]) => match.kind === undefined || match.kind === kind)
  if (kinds.length === 0) return mustBe('kind', match.kind, EVENT_KINDS)
  const fields = [...EVENT_HEAD, ...new Set(kinds.flatMap(([, { fields }]) => fields))]
  const stranger = Object.keys(match).find((field) => !fields.includes(field))
  if (stranger !== undefined) {
    const parameter = `match.${stranger}`
    const of = match.kind === undefined ? 'no event' : `no event of the kind "${match.kind}"`
    return refuse('invalid_parameter', `${of} has a field "${stranger}". Known are: ${fields.join(', ')}.`, {
      data: { parameter },
    })
  }
  const [[, { changes }] = ['', { changes: undefined }], ...others] = kinds
  const isClosed = others.length === 0 && changes !== undefined && match.change !== undefined
  return isClosed && !changes.some((change) => change === match.change)
    ? mustBe('change', match.change, changes)
    : undefined
}

const mustBe = (field: string, got: unknown, known: readonly string[]): Refusal =>
  refuse('invalid_parameter', `"match.${field}" must be one of ${known.join(', ')}; got ${JSON.stringify(got)}.`, {
    data: { parameter: `match.${field}` },
  })
