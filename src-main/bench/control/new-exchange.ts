import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { BenchEvent } from '../../core/contract/events.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import type { ControlParts } from './control-parts.ts'

/** In one process the event is there before the answer; from another one it is on its way. */
const LATE_MS = 500

/** Catches the event of a call that is about to be made. */
export const newExchange = ({ recorder, real }: Pick<ControlParts, 'recorder' | 'real'>, workspace: string) => {
  const found = Promise.withResolvers<Exchange | undefined>()
  let request: string | undefined
  const stop = recorder.listen(
    workspace,
    (event) => {
      if (event.kind === 'exchange' && event.request.id === request) found.resolve(event)
    },
    () => found.resolve(undefined),
  )
  return {
    onCame: (requestId: string): void => {
      request = requestId
    },
    /** Once the call is over; undefined where it was refused before it became an exchange. */
    recorded: async (): Promise<Exchange | undefined> => {
      const cancel = real.at(real.now() + LATE_MS, () => found.resolve(undefined))
      const event = await found.promise
      cancel()
      stop()
      return event
    },
  }
}

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
