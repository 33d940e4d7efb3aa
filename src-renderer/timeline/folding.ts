/** Which groups show their head alone. A group that comes later is as most of them are. */
export type Folding = {
  readonly all: boolean
  /** Those that are not as `all` says. */
  readonly except: ReadonlySet<string>
}

export const NOTHING_FOLDED: Folding = { all: false, except: new Set() }
export const ALL_FOLDED: Folding = { all: true, except: new Set() }

export const isFolded = ({ all, except }: Folding, group: string): boolean => all !== except.has(group)

export const withFold = (folding: Folding, group: string, folded: boolean): Folding => {
  if (isFolded(folding, group) === folded) return folding
  const except = new Set(folding.except)
  if (!except.delete(group)) except.add(group)
  return { all: folding.all, except }
}
