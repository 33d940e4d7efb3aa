import { createReadStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { en } from '../core/messages/en/en.ts'
import { textOf } from '../core/messages/text.ts'
import { err, type Result } from '../core/protocol/result.ts'
import { type HearTrace, type ScannedTrace, scanTrace } from '../views/trace/read-trace.ts'
import { scanLast } from '../views/trace/scan-last.ts'

/** Reads a trace from its file, event by event, or only its last events; refusals are sentences. */
export const readTraceFile = async (
  path: string,
  hear: HearTrace,
  last?: number,
): Promise<Result<ScannedTrace, string>> => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return err(`there is no file ${path}.`)
  if (!found.isFile()) return err(`${path} is no file.`)
  const bytes = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>
  const trace = await (last === undefined ? scanTrace(bytes, hear) : scanLast(bytes, { hear, last }))
  return trace.ok ? trace : err(`${path} ${textOf(en.traceProblems, { code: trace.error.code, params: trace.error })}`)
}
