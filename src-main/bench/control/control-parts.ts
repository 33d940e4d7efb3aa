import type { Log } from '../../core/protocol/log.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { KeyedQueue } from '../../core/protocol/turns.ts'
import type { Phones } from '../../phones/phone/phones.ts'
import type { Admin } from '../../service/admin/create-admin.ts'
import type { BenchClocks } from '../harness/clock.ts'
import type { Recorder } from '../harness/recorder.ts'
import type { RelyingParties } from '../harness/rp-simulators.ts'
import type { OwnAddresses } from './bench-addresses.ts'
import type { Leases } from './leases/leases.ts'
import type { Callers, OneTimeCodes, Tokens } from './tokens.ts'
import type { WorkspaceLeases } from './unused-workspaces.ts'
import type { Workspaces } from './workspaces.ts'

export type BenchInfo = {
  readonly version: string
  readonly pid: number
  readonly node: string
  readonly dataDirectory: string | undefined
}

export type ControlParts = {
  readonly callers: Callers
  readonly tokens: Tokens
  readonly info: BenchInfo
  readonly pageFolder: string
  /** PEM of the bench's own certificate authority. */
  readonly authority: string | undefined
  readonly addresses: OwnAddresses
  readonly admin: Admin
  readonly phones: Phones
  readonly clocks: BenchClocks
  readonly recorder: Recorder
  readonly relyingParties: RelyingParties
  readonly workspaces: Workspaces
  readonly leases: Leases
  readonly workspaceLeases: WorkspaceLeases
  readonly sessions: OneTimeCodes
  /** Changes that count towards a quota run one at a time in this queue. */
  readonly turns: KeyedQueue
  readonly seedOf: (workspace: string) => number | undefined
  readonly real: Clock
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
