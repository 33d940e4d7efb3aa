import { conditionsAdmin } from '../conditions/conditions-admin.ts'
import { credentialsOf } from '../credentials/credentials-admin.ts'
import { accountsOf, devicesOf } from '../devices/devices-admin.ts'
import { serviceFaultsAdmin } from '../faults/service-faults-admin.ts'
import { messagesOf } from '../messages/messages-admin.ts'
import { rootsOf } from '../roots/roots-admin.ts'
import { accessKeysOf } from '../rps/access-keys-admin.ts'
import { rpsOf } from '../rps/rps-admin.ts'
import { profileOf } from '../settings/profile-admin.ts'
import { signaturesOf } from '../signing/signatures-admin.ts'
import { snapshotsOf } from '../workspaces/snapshots-admin.ts'
import { clockOf, documentsOf, workspacesOf } from '../workspaces/workspaces-admin.ts'
import type { Admin, Parts } from './admin.ts'

export const createAdmin = (parts: Parts): Admin => ({
  workspaces: workspacesOf(parts),
  rps: rpsOf(parts),
  accessKeys: accessKeysOf(parts),
  clock: clockOf(parts),
  profile: profileOf(parts),
  messages: messagesOf(parts),
  credentials: credentialsOf(parts),
  accounts: accountsOf(parts),
  devices: devicesOf(parts),
  roots: rootsOf(parts),
  conditions: conditionsAdmin(parts),
  faults: serviceFaultsAdmin(parts),
  snapshots: snapshotsOf(parts),
  documents: documentsOf(parts),
  secondOpinions: parts.services.secondOpinions,
  signatures: signaturesOf(parts),
  settled: parts.services.background.settled,
})
