import { existsSync, readFileSync } from 'node:fs'
import { err, type Result } from '../protocol/result.ts'

/** Reads the file that an option names; complaints begin with the option and the file. */
export const inFile = <T>(
  option: string,
  file: string,
  read: (text: string) => Result<T, string>,
): Result<T, string> => {
  if (!existsSync(file)) return err(`${option}: there is no file ${file}.`)
  try {
    const value = read(readFileSync(file, 'utf8'))
    return value.ok ? value : err(`${option}: ${file}: ${value.error}`)
  } catch (reason) {
    return err(`${option}: ${file} cannot be read: ${reason instanceof Error ? reason.message : reason}`)
  }
}
