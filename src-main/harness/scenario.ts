import { err, ok, type Result } from '../protocol/result.ts'
import { readDocument } from './read-document.ts'
import { type ScenarioWord, scenarioWords } from './scenario-words.ts'

export type ScenarioPhone = Readonly<Record<string, unknown>>

export type Step = {
  readonly word: ScenarioWord
  readonly input: Readonly<Record<string, unknown>>
  /** The step must be refused with this code. */
  readonly refused?: number
  readonly line: number
}

export type Scenario = {
  readonly name: string
  readonly about: string
  readonly profile: Readonly<Record<string, unknown>>
  /** By the short name that the steps use. */
  readonly phones: Readonly<Record<string, ScenarioPhone>>
  readonly steps: readonly Step[]
}

const PARTS = ['name', 'about', 'profile', 'phones', 'steps']

/** A scenario as text. Refusals name the line, what was got and what was expected. */
export const parseScenario = (text: string): Result<Scenario, string> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const { value, lineOf } = document.value
  if (!isRecord(value)) return err('line 1: a scenario is a mapping with name and steps.')
  const stranger = Object.keys(value).find((key) => !PARTS.includes(key))
  if (stranger !== undefined) {
    return err(`line ${lineOf([stranger]) ?? 1}: "${stranger}" is not known. Known are: ${PARTS.join(', ')}.`)
  }
  if (typeof value.name !== 'string' || value.name === '') return err('line 1: "name" is missing.')
  if (!Array.isArray(value.steps) || value.steps.length === 0) return err('line 1: "steps" is missing or empty.')
  const phones = value.phones ?? {}
  if (!isRecord(phones) || !Object.values(phones).every(isRecord)) {
    return err(`line ${lineOf(['phones']) ?? 1}: "phones" is a mapping of short names to phones.`)
  }
  const profile = value.profile ?? {}
  if (!isRecord(profile)) return err(`line ${lineOf(['profile']) ?? 1}: "profile" is a mapping of settings.`)
  const steps: Step[] = []
  for (const [i, raw] of value.steps.entries()) {
    const line = lineOf(['steps', i]) ?? 1
    const step = parseStep(raw, { line, phones: Object.keys(phones) })
    if (!step.ok) return err(`line ${line}: ${step.error}`)
    steps.push(step.value)
  }
  const about = typeof value.about === 'string' ? value.about : ''
  return ok({ name: value.name, about, profile, phones: phones as Scenario['phones'], steps })
}

const parseStep = (
  raw: unknown,
  { line, phones }: { readonly line: number; readonly phones: readonly string[] },
): Result<Step, string> => {
  if (!isRecord(raw)) return err('a step is one word with what belongs to it, such as "scan: {phone: alice}".')
  const { refused, ...rest } = raw
  const [word, ...more] = Object.keys(rest)
  if (word === undefined || more.length > 0) {
    return err(`a step has one word; got ${Object.keys(rest).join(', ') || 'none'}.`)
  }
  if (!isWord(word)) return err(`"${word}" is no word. Known are: ${Object.keys(scenarioWords).join(', ')}.`)
  if (refused !== undefined && !Number.isInteger(refused)) return err('"refused" is a code such as 40403.')
  const { required, optional } = scenarioWords[word]
  const input = rest[word] ?? {}
  if (!isRecord(input)) return err(`"${word}" takes a mapping with ${[...required, ...optional].join(', ')}.`)
  const missing = required.find((key) => input[key] === undefined)
  if (missing !== undefined) return err(`"${word}" needs "${missing}".`)
  const known: readonly string[] = [...required, ...optional]
  const stranger = known.includes('*') ? undefined : Object.keys(input).find((key) => !known.includes(key))
  if (stranger !== undefined) return err(`"${word}" does not know "${stranger}". Known are: ${known.join(', ')}.`)
  if (typeof input.phone === 'string' && !phones.includes(input.phone)) {
    return err(`there is no phone "${input.phone}". Known are: ${phones.join(', ') || 'none'}.`)
  }
  return ok({ word, input, line, ...(refused === undefined ? {} : { refused: Number(refused) }) })
}

const isWord = (text: string): text is ScenarioWord => Object.hasOwn(scenarioWords, text)

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
