import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { type FileProblem, withOuterPlace } from '../core/contract/scenario/file-problems.ts'
import { en } from '../core/messages/en/en.ts'
import { fileProblemText } from '../core/messages/en/scenario-files.ts'
import { textOf } from '../core/messages/text.ts'
import { err, type Result } from '../core/protocol/result.ts'
import { scanLastEvents } from '../views/trace/index-trace.ts'
import { type ScannedTrace, scanTrace, type TraceHandlers } from '../views/trace/read-trace.ts'

/** Errors begin with the option and the file. */
export const readOptionFile = <T>(
  option: string,
  file: string,
  read: (text: string) => Result<T, string | FileProblem>,
): Result<T, string> => {
  if (!existsSync(file)) return err(`${option}: there is no file ${file}.`)
  try {
    const value = read(readFileSync(file, 'utf8'))
    if (value.ok) return value
    const { error } = value
    return err(
      `${option}: ${typeof error === 'string' ? `${file}: ${error}` : fileProblemText(withOuterPlace({ file }, error))}`,
    )
  } catch (reason) {
    return err(`${option}: ${file} cannot be read: ${reason instanceof Error ? reason.message : reason}`)
  }
}

/** Reads all events, or only the last ones. */
export const readTraceFile = async (
  path: string,
  reader: TraceHandlers,
  last?: number,
): Promise<Result<ScannedTrace, string>> => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return err(`there is no file ${path}.`)
  if (!found.isFile()) return err(`${path} is no file.`)
  const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>
  const trace = await (last === undefined ? scanTrace(bytes, reader) : scanLastEvents(bytes, { reader, last }))
  return trace.ok ? trace : err(`${path} ${textOf(en.traceProblems, { code: trace.error.code, params: trace.error })}`)
}
