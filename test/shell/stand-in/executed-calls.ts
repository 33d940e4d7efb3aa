import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceCalls } from './calls-in-source.ts'

const FILE = join(import.meta.dirname, 'executed-calls.json')

/** A call to Electron, the files that make it, and the test that executes it. */
export type CallRow = { readonly call: string; readonly files: readonly string[]; readonly test: string }

export const readExecutedCalls = (): readonly CallRow[] => JSON.parse(readFileSync(FILE, 'utf8'))

export const writeExecutedCalls = (rows: readonly CallRow[]): void =>
  writeFileSync(FILE, `${JSON.stringify(rows, undefined, 2)}\n`)

export const madeIn = (calls: SourceCalls): readonly Pick<CallRow, 'call' | 'files'>[] =>
  [...calls].map(([call, files]) => ({ call, files: [...files].sort() })).sort((a, b) => (a.call < b.call ? -1 : 1))
