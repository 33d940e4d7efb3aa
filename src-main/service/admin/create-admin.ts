import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { ok } from '../../core/protocol/result.ts'
import { conditionsAdmin } from '../conditions/conditions-admin.ts'
import { credentialsOf } from '../credentials/credentials-admin.ts'
import { accountsOf, devicesOf } from '../devices/devices-admin.ts'
import { serviceFaultsAdmin } from '../faults/service-faults-admin.ts'
import { messagesOf } from '../messages/messages-admin.ts'
import { rootsOf } from '../roots/roots-admin.ts'
import { accessKeysOf } from '../rps/access-keys-admin.ts'
import { rpsOf } from '../rps/rps-admin.ts'
import type { Reach } from '../settings/settings.ts'
import { signaturesOf } from '../signing/signatures-admin.ts'
import { snapshotsOf } from '../workspaces/snapshots-admin.ts'
import { clockOf, documentsOf, workspacesOf } from '../workspaces/workspaces-admin.ts'
import { type Admin, inWorkspace, type Outcome, type Parts, recordSetting } from './admin.ts'

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

const profileOf = (parts: Parts): Admin['profile'] => {
  const { settings } = parts.services
  const set = (
    workspace: string,
    change: string,
    next: (before: Profile) => Profile,
    reach?: Reach,
  ): Outcome<Profile> =>
    inWorkspace(parts, workspace, async () => {
      const profile = await settings.changeProfile(workspace, next, reach)
      recordSetting(parts, workspace, { subject: 'profile', change, detail: profile })
      return ok(profile)
    })
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.profile(workspace))),
    patch: (workspace, part) => set(workspace, 'changed', (before) => ({ ...before, ...part })),
    reset: (workspace) => set(workspace, 'reset', () => defaultProfile, 'all'),
  }
}
