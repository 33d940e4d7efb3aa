import { accessKeysOf } from './access-keys.ts'
import { clockOf } from './clocks.ts'
import type { Console } from './console.ts'
import { credentialsOf } from './credentials.ts'
import { messagesOf } from './messages.ts'
import type { Parts } from './parts.ts'
import { accountsOf, devicesOf } from './people.ts'
import { profileOf } from './profiles.ts'
import { rootsOf } from './roots.ts'
import { rpsOf } from './rps.ts'
import { signaturesOf } from './signatures.ts'
import { snapshotsOf } from './snapshots.ts'
import { weatherOf } from './weathers.ts'
import { workspacesOf } from './workspaces.ts'

export const createConsole = (parts: Parts): Console => ({
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
  weather: weatherOf(parts),
  snapshots: snapshotsOf(parts),
  secondOpinions: parts.services.secondOpinions,
  signatures: signaturesOf(parts),
  settled: parts.services.background.settled,
})
