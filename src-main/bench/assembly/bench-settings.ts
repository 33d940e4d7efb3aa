import type { ModelMetadata } from '../../core/judge/ceremony-case.ts'
import type { Log } from '../../core/protocol/log.ts'
import type { ForwardSettings } from '../../service/forward/forward-rp.ts'
import type { PostgresLocation } from '../../service/store/postgres/location.ts'
import type { AddressSettings } from '../control/bench-addresses.ts'
import type { SeedData } from '../control/seed-data.ts'
import type { ClockSetting } from '../harness/clock.ts'
import type { TraceFileSettings } from '../harness/trace-files.ts'
import type { TlsSetting } from '../tls/tls-identity.ts'

export type ProcessSettings = AddressSettings & {
  readonly seed?: number
  /** A random one when absent. */
  readonly token?: string
  /** Lets Prometheus read /metrics, as `token` does. */
  readonly metricsToken?: string
  /** Trusted and revoked authenticator models, in addition to each workspace's roots. */
  readonly metadata?: ModelMetadata
  readonly version: string
  readonly log?: Log
}

export type BenchSettings = ProcessSettings & {
  /** Serves https only; http when absent. */
  readonly tls?: TlsSetting
  /** Keeps phones, events and the TLS authority; without `database`, all data. When absent, these are in memory. */
  readonly dataDirectory?: string
  readonly database?: PostgresLocation
  /** The origin of other processes that answer RPs and phones; if absent, this process does. */
  readonly serviceUrl?: string
  /** Settings for another service, to which this process forwards the calls of RPs and phones. */
  readonly forward?: ForwardSettings
  /** Start of the clocks of new workspaces; main's too, unless the last start had the same setting. */
  readonly clock?: ClockSetting
  readonly seedData: SeedData
  readonly pageFolder: string
  /** Number of events that are kept for each workspace. */
  readonly keepEvents?: number
  readonly traces?: TraceFileSettings
}
