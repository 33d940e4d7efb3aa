import { existsSync, readFileSync } from 'node:fs'
import type { FileProblem } from '../core/contract/scenario/file-problems.ts'
import { fileProblemText } from '../core/messages/en/scenario-files.ts'
import { err, type Result } from '../core/protocol/result.ts'

/** Reads the file that an option names; complaints begin with the option and the file. */
export const inFile = <T>(
  option: string,
  file: string,
  read: (text: string) => Result<T, string | FileProblem>,
): Result<T, string> => {
  if (!existsSync(file)) return err(`${option}: there is no file ${file}.`)
  try {
    const value = read(readFileSync(file, 'utf8'))
    if (value.ok) return value
    const { error } = value
    return err(`${option}: ${file}: ${typeof error === 'string' ? error : fileProblemText(error)}`)
  } catch (reason) {
    return err(`${option}: ${file} cannot be read: ${reason instanceof Error ? reason.message : reason}`)
  }
}
