import { matchChord, type Press } from './chords.ts'
import { COMMANDS, type Command, isIn } from './commands.ts'
import type { Scene } from './desk.ts'

/** The state of the page at a key press. */
export type Place = {
  readonly scene: Scene
  /** True if a dialog is open, which handles all keys itself. */
  readonly dialog: boolean
  /** True if the focused element takes text. */
  readonly typing: boolean
  /** True if the focused element handles the space bar. */
  readonly pressable: boolean
}

export type Hit = { readonly command: Command; readonly nth: number }

/** The command for a key press in this state; undefined if there is none. */
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
