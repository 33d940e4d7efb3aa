import { DAY_MS } from '../../protocol/time.ts'
import { conditionsPart, conditionsState } from '../conditions.ts'
import { PROFILE_KEYS } from '../profile.ts'
import { profilePart, wholeProfile } from '../profile-schema.ts'
import {
  answer,
  anything,
  choice,
  constant,
  count,
  decimal,
  dictionary,
  duration,
  either,
  flag,
  list,
  MOST_DELETIONS,
  millis,
  object,
  optional,
  orNull,
  shortText,
  text,
  whole,
} from '../schema.ts'
import { scope } from '../scope.ts'
import { LARGEST_IMPORT } from '../workspace-document.ts'
import { addresses, clockSetting } from './bench-routes.ts'
import type { ControlRoutes } from './route.ts'

export const clockState = answer({
  now: millis('The workspace’s time.'),
  frozen: flag(),
  speed: decimal('Workspace seconds per real second.'),
  offset_ms: orNull(whole('How far it is ahead of real time; null while it is frozen.')),
  next_expiry: orNull(millis('When the next message that is under way expires.')),
})

const profileKey = choice(PROFILE_KEYS, 'A setting.')

export const profileState = answer({
  profile: wholeProfile,
  changed: list(profileKey, { description: 'The settings that differ from their defaults.' }),
  settings: list(
    answer({
      key: profileKey,
      group: text(),
      sentence: text('What it decides.'),
      rule: dictionary('What values it may have.'),
      default: anything(),
    }),
  ),
})

export const snapshotState = answer({ id: text(), name: text(), created_at: millis('Workspace time.') })

const snapshotId = object({ id: text('The snapshot.') })

const leasedConditions = object({
  ...conditionsPart.properties,
  lease: optional(text('A lease, beside a `scope`: those of the scope are normal again when it ends.')),
})

export const workspaceRoutes = {
  overview: {
    method: 'GET',
    path: '/overview',
    scope: 'workspace',
    summary: 'The workspace at a glance.',
    data: answer({
      workspace: text(),
      seed: orNull(whole()),
      addresses: answer(addresses),
      clock: clockState,
      profile_changed: list(text()),
      conditions: conditionsState,
      counts: answer({
        rps: count(),
        messages: count(),
        messages_under_way: count(),
        credentials: count(),
        accounts: count(),
        phones: count(),
      }),
      first_seq: count('The oldest event that is still kept; 0 when there is none.'),
      last_seq: count('The latest event.'),
    }),
  },
  'workspace.reset': {
    method: 'POST',
    path: '/reset',
    scope: 'workspace',
    summary: 'Back to the start: messages, credentials, accounts and phones go, the clock shows real time.',
    body: object({
      settings: optional(flag('RPs, keys, roots, profile and conditions go as well, and the demo RP is new.')),
    }),
    data: answer({ last_seq: count() }),
  },
  'clock.get': {
    method: 'GET',
    path: '/clock',
    scope: 'workspace',
    summary: 'The workspace’s clock.',
    data: clockState,
  },
  'clock.put': {
    method: 'PUT',
    path: '/clock',
    scope: 'workspace',
    summary: 'Sets the clock: time, frozen or running, speed. What is not named stays.',
    body: object({
      ...clockSetting,
      real: optional(constant(true, 'Back to real time, running at speed 1. It goes alone; the others go together.')),
    }),
    data: clockState,
  },
  'clock.advance': {
    method: 'POST',
    path: '/clock/advance',
    scope: 'workspace',
    summary:
      'Moves the clock forward; everything that is due on the way happens in its order. It ends with the year 9999.',
    body: either(
      object({ ms: duration('By so much.', 100 * 366 * DAY_MS) }),
      object({ to: choice(['next-expiry'], 'Just past the next expiry of a message.') }),
    ),
    data: clockState,
  },
  'profile.get': {
    method: 'GET',
    path: '/profile',
    scope: 'workspace',
    summary: 'The profile, and what every setting means and may be.',
    data: profileState,
  },
  'profile.patch': {
    method: 'PATCH',
    path: '/profile',
    scope: 'workspace',
    summary: 'Changes settings; all of them or none.',
    body: profilePart,
    data: profileState,
  },
  'profile.reset': {
    method: 'POST',
    path: '/profile/reset',
    scope: 'workspace',
    summary: 'Puts settings back to their defaults.',
    body: object({ keys: optional(list(profileKey)) }),
    data: profileState,
  },
  'conditions.get': {
    method: 'GET',
    path: '/conditions',
    scope: 'workspace',
    summary: 'The network conditions in force.',
    data: conditionsState,
  },
  'conditions.put': {
    method: 'PUT',
    path: '/conditions',
    scope: 'workspace',
    summary:
      'Replaces the network conditions of `scope`, or those for everybody; what is not named is normal, other scopes keep theirs.',
    body: leasedConditions,
    data: conditionsState,
  },
  'conditions.patch': {
    method: 'PATCH',
    path: '/conditions',
    scope: 'workspace',
    summary: 'Changes the conditions that are named and leaves the rest.',
    body: leasedConditions,
    data: conditionsState,
  },
  'conditions.delete': {
    method: 'DELETE',
    path: '/conditions',
    scope: 'workspace',
    summary: 'Sets the network conditions back to normal: those of the scope that is named, or all.',
    query: object({ ...scope.properties }),
    data: conditionsState,
  },
  'snapshots.list': {
    method: 'GET',
    path: '/snapshots',
    scope: 'workspace',
    summary: 'The snapshots, oldest first.',
    data: answer({ snapshots: list(snapshotState) }),
  },
  'snapshots.create': {
    method: 'POST',
    path: '/snapshots',
    scope: 'workspace',
    summary: 'Keeps the workspace as it is now.',
    body: object({ name: optional(shortText()) }),
    data: snapshotState,
  },
  'snapshots.restore': {
    method: 'POST',
    path: '/snapshots/{id}/restore',
    scope: 'workspace',
    summary: 'Puts the workspace back to a snapshot. Events go on counting.',
    params: snapshotId,
    body: object({}),
    data: snapshotState,
  },
  'snapshots.delete': {
    method: 'DELETE',
    path: '/snapshots/{id}',
    scope: 'workspace',
    summary: 'Forgets a snapshot.',
    params: snapshotId,
    data: answer({}),
  },
  'snapshots.undelete': {
    method: 'POST',
    path: '/snapshots/{id}/undelete',
    scope: 'workspace',
    summary: `Takes the deletion of a snapshot back: one of the last ${MOST_DELETIONS}.`,
    params: snapshotId,
    body: object({}),
    data: snapshotState,
  },
  'workspace.export': {
    method: 'GET',
    path: '/export',
    scope: 'workspace',
    reveals: true,
    summary: 'The whole workspace as one document. It holds secrets.',
    data: dictionary(),
    large: true,
  },
  'workspace.import': {
    method: 'POST',
    path: '/import',
    scope: 'workspace',
    summary: 'Puts an exported document in the place of this workspace.',
    body: dictionary('What export gave.'),
    bodyLimit: LARGEST_IMPORT,
    data: answer({ last_seq: count() }),
  },
} as const satisfies ControlRoutes
