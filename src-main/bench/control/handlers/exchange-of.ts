import { type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { BenchEvent } from '../../../core/contract/events.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { ControlParts } from '../control-parts.ts'

export type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

/** The exchange of this number, while it is kept. */
export const exchangeOf = (
  { recorder }: Pick<ControlParts, 'recorder'>,
  workspace: string,
  seq: number,
): Result<Exchange, Refusal> => {
  const [event] = recorder.read(workspace, { after: seq - 1, limit: 1 }).events
  return event?.seq === seq && event.kind === 'exchange'
    ? ok(event)
    : err(refuse('not_found', { code: 'no_exchange', params: { seq: String(seq) } }))
}
