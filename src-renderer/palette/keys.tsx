import { isMac, keysOf } from './chords.ts'

/** The keys of a chord, one cap each. */
export const Keys = ({ chord }: { readonly chord: string }) =>
  keysOf(chord, isMac()).map((key) => <kbd key={key}>{key}</kbd>)
