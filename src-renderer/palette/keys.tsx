import { isMac, keysOf } from './chords.ts'

export const Keys = ({ chord }: { readonly chord: string }) =>
  keysOf(chord, isMac()).map((key) => <kbd key={key}>{key}</kbd>)
