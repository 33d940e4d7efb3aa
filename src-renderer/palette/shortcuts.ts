import { matchChord, type Press } from './chords.ts'
import { COMMANDS, type Command, isIn } from './commands.ts'
import type { Scene } from './desk.ts'

export type Place = {
  readonly scene: Scene
  /** An open dialog handles all keys itself. */
  readonly dialog: boolean
  readonly typing: boolean
  /** True if the focused element handles the space bar. */
  readonly pressable: boolean
}

export type Hit = { readonly command: Command; readonly nth: number }

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
