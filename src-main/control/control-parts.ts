import type { BenchClocks } from '../harness/clocks.ts'
import type { Recorder } from '../harness/recorder.ts'
import type { RelyingParties } from '../harness/relying-parties.ts'
import type { PageRules } from '../http/page-guard.ts'
import type { Phones } from '../phone/phones-interface.ts'
import type { Clock } from '../protocol/clock.ts'
import type { Log } from '../protocol/log.ts'
import type { Admin } from '../service/admin/admin.ts'
import type { Leases } from './leases/leases.ts'
import type { Sessions } from './sessions.ts'
import type { Workspaces } from './workspaces.ts'

export type BenchAddresses = {
  baseUrl(workspace: string): string
  appUrl(workspace: string): string
  controlUrl(workspace: string): string
  uiUrl(workspace: string): string
}

export type BenchInfo = {
  readonly version: string
  readonly pid: number
  readonly node: string
  readonly dataDirectory: string | undefined
}

/** What the control interface commands. */
export type ControlParts = {
  readonly token: string
  readonly info: BenchInfo
  /** PEM of the certificate authority that the bench made for itself. */
  readonly authority: string | undefined
  readonly addresses: BenchAddresses
  readonly isOurHost: PageRules['isOurHost']
  readonly isOurOrigin: (origin: string) => boolean
  readonly admin: Admin
  readonly phones: Phones
  readonly clocks: BenchClocks
  readonly recorder: Recorder
  readonly relyingParties: RelyingParties
  readonly workspaces: Workspaces
  readonly leases: Leases
  readonly sessions: Sessions
  readonly seedOf: (workspace: string) => number | undefined
  readonly real: Clock
  /** Ends what waits, when the bench is closed. */
  readonly closing: AbortSignal
  readonly log: Log
}
