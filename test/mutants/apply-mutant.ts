import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'

export type Edit = Omit<Mutant, 'caughtBy'>

/** The file with the mistake in it; a mutant whose place is not there once fits the project no more. */
export const mutated = (text: string, { what, file, find, replace }: Edit): string => {
  const times = find === '' ? 0 : text.split(find).length - 1
  if (times !== 1) throw new Error(`"${what}" no longer applies: its place is ${times} times in ${file}.`)
  return text.replace(find, () => replace)
}

/** Puts the mistake into a copy of the project; what comes back takes it out again. */
export const applyMutant = (root: string, mutant: Edit): (() => void) => {
  const path = join(root, mutant.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, mutated(text, mutant))
  return () => writeFileSync(path, text)
}
