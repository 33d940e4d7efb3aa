import { type KeyPress, matchChord } from './chords.ts'
import { COMMANDS, type Command, isAvailableIn } from './commands.ts'
import type { Scene } from './desk.ts'

export type Place = {
  readonly scene: Scene
  /** An open dialog handles all keys itself. */
  readonly dialog: boolean
  readonly typing: boolean
  /** True if the focused element handles the space bar. */
  readonly pressable: boolean
}

export type CommandMatch = { readonly command: Command; readonly nth: number }

export const commandFor = (press: KeyPress, place: Place): CommandMatch | undefined => {
  if (place.dialog) return undefined
  for (const command of COMMANDS) {
    if (command.run === undefined || !isAvailableIn(command.where, place.scene)) continue
    if (place.typing && command.inFields === undefined) continue
    for (const chord of command.chords ?? []) {
      if (chord === 'Space' && place.pressable) continue
      const nth = matchChord(chord, press)
      if (nth !== undefined) return { command, nth }
    }
  }
  return undefined
}
