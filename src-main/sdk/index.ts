export type { EventOf } from '../core/contract/events.ts'
export { ControlError } from './client.ts'
export { HandsetError, PhoneError, StartError, WaitError } from './errors.ts'
export { type ConnectOptions, connectHandset, type Handset, type StartOptions, startHandset } from './handset.ts'
export type { LeaseOptions } from './lease.ts'
export type { Phone, Prompt, PushWait, Screen } from './phone.ts'
export { ResultError, RpError, type RpMessage } from './rp.ts'
export type { Scannable } from './scannable.ts'
export type { EventMatch, WaitOptions } from './wait-for.ts'
export type {
  ArmedFault,
  Lease,
  Passkey,
  PhoneOptions,
  Snapshot,
  Workspace,
  WorkspaceClock,
  WorkspaceRp,
  WorkspaceService,
} from './workspace.ts'
