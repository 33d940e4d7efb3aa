import type { Data } from '../../core/contract/control/routes.ts'
import type { Log } from '../../core/protocol/log.ts'
import type { KeyedQueue } from '../../core/protocol/turns.ts'
import type { OwnAddresses } from './bench-addresses.ts'
import type { Leases } from './leases/leases.ts'
import type { Callers, OneTimeCodes, Tokens } from './tokens.ts'
import type { WorkspaceLeases } from './unused-workspaces.ts'
import type { BenchSides, Workspaces } from './workspaces.ts'

export type ControlParts = BenchSides & {
  readonly callers: Callers
  readonly tokens: Tokens
  readonly info: Pick<Data<'bench.info'>, 'version' | 'pid' | 'node' | 'data_directory'>
  readonly pageFolder: string
  /** PEM of the bench's own certificate authority. */
  readonly authority: string | undefined
  readonly addresses: OwnAddresses
  readonly workspaces: Workspaces
  readonly leases: Leases
  readonly workspaceLeases: WorkspaceLeases
  readonly sessions: OneTimeCodes
  /** Changes that count towards a quota run one at a time in this queue. */
  readonly turns: KeyedQueue
  readonly seedOf: (workspace: string) => number | undefined
  readonly closing: AbortSignal
  readonly log: Log
}

export const addressesOf = ({ addresses }: Pick<ControlParts, 'addresses'>, workspace: string) => ({
  base_url: addresses.baseUrl(workspace),
  app_url: addresses.appUrl(workspace),
  control_url: addresses.controlUrl(workspace),
  ui_url: addresses.uiUrl(workspace),
  ...(addresses.target === undefined ? {} : { target: addresses.target }),
})
