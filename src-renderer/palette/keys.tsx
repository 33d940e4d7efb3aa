import { isMac, keysOf } from './chords.ts'

export const Keys = ({ chord }: { readonly chord: string }) =>
  keysOf(chord, isMac()).map((key) => (
    <kbd className="inline-block tiny faint text-center bg-surface-3 rounded-4 leading-16 min-w-16 px-4" key={key}>
      {key}
    </kbd>
  ))
