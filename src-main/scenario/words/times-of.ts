/** How often what was armed will strike. */
export const timesOf = ({ left, probability }: { readonly left?: number; readonly probability?: number }): string =>
  left === undefined ? `with probability ${probability}` : `${left} time${left === 1 ? '' : 's'}`
