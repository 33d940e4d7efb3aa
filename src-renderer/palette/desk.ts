import type { ControlClient } from '../../src-main/sdk/client.ts'
import type { BenchState } from '../bench/bench-state.ts'
import type { Texts } from '../ui/texts.ts'
import type { Screen } from '../ui/title-bar.tsx'

export type CommandId = keyof Texts['palette']['names']

export type Scene = 'bench' | 'presenter' | 'trace'

export type CurrentUser = { readonly rpId: string; readonly userId: string; readonly username: string }

/** The context of a command. Actions return false if they were impossible. */
export type CommandContext = {
  readonly scene: Scene
  readonly phones: BenchState['phones']
  readonly clock: BenchState['clock']
  readonly user: CurrentUser | undefined
  readonly page: string
  readonly can: (id: CommandId) => boolean
  readonly run: (id: CommandId) => boolean
  readonly present: () => unknown
  readonly connect: () => unknown
  readonly focusPhone: (index: number) => boolean
  readonly focusPane: (by: 1 | -1) => boolean
  readonly go: (screen: Screen) => unknown
  readonly open: (overlay: 'palette' | 'help') => unknown
  /** Calls the bench; the answer is shown when it arrives. */
  readonly ask: (ask: (client: ControlClient) => Promise<string | undefined>) => unknown
  readonly copy: (text: (client: ControlClient) => Promise<string | undefined>) => unknown
}
