import type { Message } from '../../src-main/views/timeline/timeline.ts'

export type RpOutcome = 'success' | 'fail' | 'timeout' | 'refused' | 'broke'

/** How a request ended for the RP, which knows only what it was told; undefined while it waits. */
export const outcomeOf = ({ state, delivered, told }: Message): RpOutcome | undefined => {
  if (told !== undefined && told.makes !== 'waits') return told.makes
  // A success counts once the RP has read it; that it failed or ran out the page may say at once.
  if (state === 'init' || state === 'bind' || (state === 'success' && !delivered)) return undefined
  return state
}
