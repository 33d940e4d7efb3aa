import type { ControlParts } from './control-parts.ts'
import type { Exchange } from './handlers/exchange-of.ts'

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
