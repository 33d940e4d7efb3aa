import { signatureExplanation } from './control/event-routes.ts'
import { answer, constant, millis, optional, text, type ValueOf, whole } from './schema.ts'

/** A reader opens every version up to its own. */
export const TRACE_VERSION = 1
export const TRACE_FORMAT = 'handset-trace'

/** The first line of a trace. */
export const traceHeader = answer({
  format: constant(TRACE_FORMAT),
  version: whole('Of the format.', { minimum: 1 }),
  handset: text('The version of Handset that wrote it.'),
  title: text('What it is about, such as the name of a scenario.'),
  workspace: text(),
  saved: millis('Real time, milliseconds since 1970 UTC.'),
  note: optional(text('What else a reader should know, such as why a scenario failed.')),
})

/** Why the signature of a refused request did not match, as the bench explained it. */
export const tracedSignature = answer({ seq: whole(undefined, { minimum: 1 }), explanation: signatureExplanation })

export type TraceHeader = ValueOf<typeof traceHeader>
export type TracedSignature = ValueOf<typeof tracedSignature>
