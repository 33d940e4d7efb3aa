/** Which of the made-up logos an RP has: by its place, whichever of its two ids is known. */
export const rpVariant = (
  rps: readonly { readonly id: string; readonly rp_id: string }[],
  id: string | undefined,
): number =>
  Math.max(
    0,
    rps.findIndex((rp) => rp.id === id || rp.rp_id === id),
  )
