import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { type FileProblem, fileProblemText, withOuterPlace } from '../core/contract/scenario/file-problems.ts'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/protocol/coded.ts'
import type { Result } from '../core/protocol/result.ts'
import { type ScannedTrace, scanLastEvents, scanTrace, type TraceHandlers } from '../views/trace/read-trace.ts'
import { type End, misuse } from './command-end.ts'

/** Errors begin with the option and the file. */
export const readOptionFile = <T>(
  option: string,
  file: string,
  read: (text: string) => Result<T, string | FileProblem>,
  end: End = misuse,
): T => {
  if (!existsSync(file)) return end(`${option}: there is no file ${file}.`)
  let value: Result<T, string | FileProblem>
  try {
    value = read(readFileSync(file, 'utf8'))
  } catch (reason) {
    return end(`${option}: ${file} cannot be read: ${reason instanceof Error ? reason.message : reason}`)
  }
  if (value.ok) return value.value
  const { error } = value
  const text = typeof error === 'string' ? `${file}: ${error}` : fileProblemText(withOuterPlace({ file }, error))
  return end(`${option}: ${text}`)
}

/** Reads all events, or only the last ones; `place` begins a refusal. */
export const readTraceFile = async (
  path: string,
  reader: TraceHandlers,
  { last, place = '' }: { readonly last?: number | undefined; readonly place?: string } = {},
): Promise<ScannedTrace> => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return misuse(`${place}there is no file ${path}.`)
  if (!found.isFile()) return misuse(`${place}${path} is no file.`)
  const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>
  const trace = await (last === undefined ? scanTrace(bytes, reader) : scanLastEvents(bytes, { reader, last }))
  if (trace.ok) return trace.value
  return misuse(`${place}${path} ${textOf(en.traceProblems, { code: trace.error.code, params: trace.error })}`)
}
