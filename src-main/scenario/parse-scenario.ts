import { type ScenarioDocument, type StepInput, type StepWord, scenarioSchema } from '../contract/scenario.ts'
import { findProblem } from '../contract/validate.ts'
import { en } from '../messages/en/en.ts'
import { textOf } from '../messages/text.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { readDocument } from './read-document.ts'

export type ScenarioPhone = { readonly wanted: Readonly<Record<string, unknown>>; readonly line: number }

export type Step<W extends StepWord = StepWord> = {
  readonly word: W
  readonly input: StepInput<W>
  /** The step must be refused with this code. */
  readonly refused?: number
  readonly line: number
}

export type Scenario = Pick<ScenarioDocument, 'name' | 'about'> & {
  readonly profile: Readonly<Record<string, unknown>>
  readonly profileLine: number
  /** By the short name that the steps use. */
  readonly phones: Readonly<Record<string, ScenarioPhone>>
  readonly steps: readonly Step[]
}

/** A scenario as text. Refusals name the line, what was got and what was expected. */
export const parseScenario = (text: string): Result<Scenario, string> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value, lineOf } = document.value
  const problem = findProblem(value, scenarioSchema)
  if (problem !== undefined) {
    return err(`line ${lineOf(problem.params.field.split(/[.[\]]+/))}: ${textOf(en.reasons, problem)}`)
  }
  const { profile = {}, phones = {}, steps, ...head } = value as ScenarioDocument
  const parsed: Step[] = []
  const messages: string[] = []
  for (const [i, { refused, ...rest }] of steps.entries()) {
    const line = lineOf(['steps', i])
    const [[word, input] = []] = Object.entries(rest)
    // A wait's are fields of an event.
    const names = (word === 'wait' ? {} : input) as Names
    const unknown = unknownName(names, { phones: Object.keys(phones), messages })
    if (unknown !== undefined) return err(`line ${line}: ${unknown}`)
    parsed.push({ word, input, line, ...(refused === undefined ? {} : { refused }) } as Step)
    if (names.as !== undefined) messages.push(names.as)
  }
  return ok({
    ...head,
    profile,
    profileLine: lineOf(['profile']),
    phones: Object.fromEntries(
      Object.entries(phones).map(([name, wanted]) => [name, { wanted, line: lineOf(['phones', name]) }]),
    ),
    steps: parsed,
  })
}

type Names = { readonly phone?: string; readonly message?: string; readonly as?: string }
type Known = { readonly phones: readonly string[]; readonly messages: readonly string[] }

/** Of a phone that the file does not have, or a message that no earlier step names. */
const unknownName = ({ phone, message }: Names, known: Known): string | undefined => {
  const listed = (names: readonly string[]): string => `Known are: ${names.join(', ') || 'none'}.`
  if (phone !== undefined && !known.phones.includes(phone)) {
    return `there is no phone ${JSON.stringify(phone)}. ${listed(known.phones)}`
  }
  if (message !== undefined && !known.messages.includes(message)) {
    return `no earlier step names a message ${JSON.stringify(message)} with "as". ${listed(known.messages)}`
  }
  return undefined
}
