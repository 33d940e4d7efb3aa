import { expect, test } from 'vitest'
import { scenarioSchema } from '../../src-main/contract/scenario.ts'
import { scenarioSchemaFile } from './documents.ts'
import { schemaFile } from './schema-file.ts'

type Json = Readonly<Record<string, unknown>>

test('the schema for editors says in less than 100 kB what the contract says', () => {
  const text = scenarioSchemaFile.text()
  expect(text.length).toBeLessThan(100_000)
  const { $defs, ...root } = JSON.parse(text) as { readonly $defs: Readonly<Record<string, Json>> }
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value) return resolved($defs[String(value.$ref).replace('#/$defs/', '')])
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]))
  }
  expect(resolved(root)).toEqual(JSON.parse(schemaFile('Handset scenario', scenarioSchema)))
})
