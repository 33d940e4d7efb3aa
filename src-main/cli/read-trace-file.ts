import { createReadStream, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { TRACE_VERSION } from '../contract/trace.ts'
import { err, type Result } from '../protocol/result.ts'
import { readTrace, type TraceProblem } from '../trace/read-trace.ts'
import type { Trace } from '../trace/trace.ts'

/** A trace from its file; refusals are sentences. */
export const readTraceFile = async (path: string): Promise<Result<Trace, string>> => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return err(`there is no file ${path}.`)
  if (!found.isFile()) return err(`${path} is no file.`)
  const trace = await readTrace(Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array<ArrayBuffer>>)
  return trace.ok ? trace : err(`${path} ${sentenceOf(trace.error)}`)
}

const sentenceOf = (problem: TraceProblem): string => {
  switch (problem.code) {
    case 'no_trace':
      return 'is no trace of Handset.'
    case 'newer':
      return `was written by a newer Handset: its format is ${problem.version}, and this one reads up to ${TRACE_VERSION}.`
    case 'damaged':
      return `is damaged: it can be read up to event ${problem.events} and no further.`
    case 'unfit':
      return `is no trace that can be shown: in line ${problem.line}, "${problem.field}" is not what it must be.`
    case 'too_large':
      return `holds more than ${problem.bytes / 1024 / 1024} MiB; expected at most as much as a bench keeps.`
  }
}
