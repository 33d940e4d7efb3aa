import type { ShellState } from './shell-state.ts'

/** Whether the program ends with its last window; on macOS no program does. */
export const endsWithWindow = ({ keepRunning }: ShellState, platform: NodeJS.Platform): boolean =>
  !keepRunning && platform !== 'darwin'
