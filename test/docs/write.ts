import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documents, scenarioSchemaFile } from './documents.ts'

for (const { path, text } of [...documents, scenarioSchemaFile]) {
  writeFileSync(join(import.meta.dirname, '../..', path), text())
  console.log(`wrote ${path}`)
}
