import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Puts what a command measured into a page, below what is written there by hand. */
export const writeBelow = (file: string, command: string, text: string): void => {
  const below = `<!-- ${command} -- --out ${file} writes what follows -->\n`
  const byHand = existsSync(file) ? (readFileSync(file, 'utf8').split(below)[0] ?? '') : ''
  writeFileSync(file, `${byHand}${below}\n${text}`)
}
