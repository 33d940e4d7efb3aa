/**
 * How long something took at its best, in milliseconds; it is tried again while it took longer than it may. A clock also
 * counts what others on the machine do meanwhile: that may spoil one try, not each.
 */
export const soonest = async (
  mayTakeMs: number,
  attempt: () => Promise<number>,
  { tries = 3 } = {},
): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0 && best >= mayTakeMs; left--) best = Math.min(best, await attempt())
  return best
}
