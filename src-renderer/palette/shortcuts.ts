import { matchChord, type Press } from './chords.ts'
import { COMMANDS, type Command, isIn } from './commands.ts'
import type { Scene } from './desk.ts'

/** The place of a key press. */
export type Place = {
  readonly scene: Scene
  /** A dialog is open: it has the keys. */
  readonly dialog: boolean
  /** The focused element takes text. */
  readonly typing: boolean
  /** The focused element uses the space bar. */
  readonly pressable: boolean
}

export type Hit = { readonly command: Command; readonly nth: number }

/** The command that a press asks for in this place, if any. */
export const commandFor = (press: Press, place: Place): Hit | undefined => {
  if (place.dialog) return undefined
  for (const command of COMMANDS) {
    if (command.run === undefined || !isIn(command.where, place.scene)) continue
    if (place.typing && command.inFields === undefined) continue
    for (const chord of command.chords ?? []) {
      if (chord === 'Space' && place.pressable) continue
      const nth = matchChord(chord, press)
      if (nth !== undefined) return { command, nth }
    }
  }
  return undefined
}
