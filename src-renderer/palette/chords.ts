export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/**
 * Matches a press with a chord: `S`, `?`, `F6`, `Shift+F6`, `Mod+K` (Ctrl or ⌘), `Alt+1–9`. Returns its place in a
 * range, from 0; undefined when it is another press.
 */
export const matchChord = (chord: string, press: KeyPress): number | undefined => {
  const parts = chord.length > 1 ? chord.split('+') : [chord]
  const key = parts.at(-1) ?? ''
  if (parts.includes('Mod') !== (press.ctrlKey || press.metaKey)) return undefined
  if (parts.includes('Alt') !== press.altKey) return undefined
  // For a single character Shift is ignored: typing `?` needs Shift on some keyboards only.
  if (key.length > 1 && !key.includes(RANGE) && parts.includes('Shift') !== press.shiftKey) return undefined
  if (!key.includes(RANGE)) return pressedKey(press) === key.toLowerCase() ? 0 : undefined
  const [first = '', last = ''] = key.split(RANGE)
  // Alt may turn a digit key into another character; `code` still identifies the key.
  const digit = /^Digit(\d)$/.exec(press.code)?.[1] ?? press.key
  return /^\d$/.test(digit) && digit >= first && digit <= last ? Number(digit) - Number(first) : undefined
}

const RANGE = '–'

const pressedKey = ({ key }: KeyPress): string => (key === ' ' ? 'space' : key.toLowerCase())

const SIGNS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
}

export const keysOf = (chord: string, mac: boolean): readonly string[] =>
  (chord.length > 1 ? chord.split('+') : [chord]).map((key) =>
    key === 'Mod' ? (mac ? '⌘' : 'Ctrl') : key === 'Alt' && mac ? '⌥' : (SIGNS[key] ?? key),
  )

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)
