import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documents, editorSchemas } from './documents.ts'

for (const { path, text } of [...documents, ...editorSchemas]) {
  writeFileSync(join(import.meta.dirname, '../..', path), text())
  console.log(`wrote ${path}`)
}
