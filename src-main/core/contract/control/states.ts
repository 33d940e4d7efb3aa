import type { clockState } from '../clock.ts'
import type { ValueOf } from '../schema.ts'
import type { workspaceState } from './bench-routes.ts'
import type { credentialState, messageState, messageVerdict, rootState } from './credential-routes.ts'
import type { signatureExplanation } from './event-routes.ts'
import type { leaseState } from './lease-routes.ts'
import type { accountState, deviceState } from './people-routes.ts'
import type { phonePrompt, phoneState } from './phone-state.ts'
import type { accessKeyState, rpState } from './rp-routes.ts'
import type { profileState, snapshotState } from './workspace-routes.ts'

export type WorkspaceState = ValueOf<typeof workspaceState>
export type ClockState = ValueOf<typeof clockState>
export type ProfileState = ValueOf<typeof profileState>
export type { Conditions as ConditionsState } from '../conditions.ts'
export type SnapshotState = ValueOf<typeof snapshotState>
export type RpState = ValueOf<typeof rpState>
export type AccessKeyState = ValueOf<typeof accessKeyState>
export type ControlMessage = ValueOf<typeof messageState>
export type MessageVerdict = ValueOf<typeof messageVerdict>
export type ControlCredential = ValueOf<typeof credentialState>
export type ControlAccount = ValueOf<typeof accountState>
export type ControlDevice = ValueOf<typeof deviceState>
export type RootState = ValueOf<typeof rootState>
export type LeaseState = ValueOf<typeof leaseState>
export type ControlPhone = ValueOf<typeof phoneState>
export type SignatureState = ValueOf<typeof signatureExplanation>
export type ControlPrompt = ValueOf<typeof phonePrompt>
