import { DAY_MS } from '../../protocol/time.ts'
import { conditionsPart, conditionsState } from '../conditions.ts'
import { PROFILE_KEYS } from '../profile.ts'
import { profilePart, wholeProfile } from '../profile-schema.ts'
import * as t from '../schema.ts'
import { scope } from '../scope.ts'
import { LARGEST_IMPORT } from '../workspace-document.ts'
import { addresses, clockSetting } from './bench-routes.ts'
import type { ControlRoutes } from './route.ts'

export const clockState = t.answer({
  now: t.millis('The workspace’s time.'),
  frozen: t.flag(),
  speed: t.decimal('Workspace seconds per real second.'),
  offset_ms: t.orNull(t.whole('How far it is ahead of real time; null while it is frozen.')),
  next_expiry: t.orNull(t.millis('When the next message that is under way expires.')),
})

const profileKey = t.choice(PROFILE_KEYS, 'A setting.')

export const profileState = t.answer({
  profile: wholeProfile,
  changed: t.list(profileKey, { description: 'The settings that differ from their defaults.' }),
  settings: t.list(
    t.answer({
      key: profileKey,
      group: t.text(),
      sentence: t.text('What it decides.'),
      rule: t.dictionary('What values it may have.'),
      default: t.anything(),
    }),
  ),
})

export const snapshotState = t.answer({ id: t.text(), name: t.text(), created_at: t.millis('Workspace time.') })

const snapshotId = t.object({ id: t.text('The snapshot.') })

const leasedConditions = t.object({
  ...conditionsPart.properties,
  lease: t.optional(t.text('A lease, beside a `scope`: those of the scope are normal again when it ends.')),
})

export const workspaceRoutes = {
  overview: {
    method: 'GET',
    path: '/overview',
    scope: 'workspace',
    summary: 'The workspace at a glance.',
    data: t.answer({
      workspace: t.text(),
      seed: t.orNull(t.whole()),
      addresses: t.answer(addresses),
      clock: clockState,
      profile_changed: t.list(t.text()),
      conditions: conditionsState,
      counts: t.answer({
        rps: t.count(),
        messages: t.count(),
        messages_under_way: t.count(),
        credentials: t.count(),
        accounts: t.count(),
        phones: t.count(),
      }),
      first_seq: t.count('The oldest event that is still kept; 0 when there is none.'),
      last_seq: t.count('The latest event.'),
    }),
  },
  'workspace.reset': {
    method: 'POST',
    path: '/reset',
    scope: 'workspace',
    summary: 'Back to the start: messages, credentials, accounts and phones go, the clock shows real time.',
    body: t.object({
      settings: t.optional(t.flag('RPs, keys, roots, profile and conditions go as well, and the demo RP is new.')),
    }),
    data: t.answer({ last_seq: t.count() }),
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
    body: t.object({
      ...clockSetting,
      real: t.optional(
        t.constant(true, 'Back to real time, running at speed 1. It goes alone; the others go together.'),
      ),
    }),
    data: clockState,
  },
  'clock.advance': {
    method: 'POST',
    path: '/clock/advance',
    scope: 'workspace',
    summary:
      'Moves the clock forward; everything that is due on the way happens in its order. It ends with the year 9999.',
    body: t.either(
      t.object({ ms: t.duration('By so much.', 100 * 366 * DAY_MS) }),
      t.object({ to: t.choice(['next-expiry'], 'Just past the next expiry of a message.') }),
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
    body: t.object({ keys: t.optional(t.list(profileKey)) }),
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
    query: t.object({ ...scope.properties }),
    data: conditionsState,
  },
  'snapshots.list': {
    method: 'GET',
    path: '/snapshots',
    scope: 'workspace',
    summary: 'The snapshots, oldest first.',
    data: t.answer({ snapshots: t.list(snapshotState) }),
  },
  'snapshots.create': {
    method: 'POST',
    path: '/snapshots',
    scope: 'workspace',
    summary: 'Keeps the workspace as it is now.',
    body: t.object({ name: t.optional(t.shortText()) }),
    data: snapshotState,
  },
  'snapshots.restore': {
    method: 'POST',
    path: '/snapshots/{id}/restore',
    scope: 'workspace',
    summary: 'Puts the workspace back to a snapshot. Events go on counting.',
    params: snapshotId,
    body: t.object({}),
    data: snapshotState,
  },
  'snapshots.delete': {
    method: 'DELETE',
    path: '/snapshots/{id}',
    scope: 'workspace',
    summary: 'Forgets a snapshot.',
    params: snapshotId,
    data: t.answer({}),
  },
  'snapshots.undelete': {
    method: 'POST',
    path: '/snapshots/{id}/undelete',
    scope: 'workspace',
    summary: `Takes the deletion of a snapshot back: one of the last ${t.MOST_DELETIONS}.`,
    params: snapshotId,
    body: t.object({}),
    data: snapshotState,
  },
  'workspace.export': {
    method: 'GET',
    path: '/export',
    scope: 'workspace',
    reveals: true,
    summary: 'The whole workspace as one document. It holds secrets.',
    data: t.dictionary(),
    large: true,
  },
  'workspace.import': {
    method: 'POST',
    path: '/import',
    scope: 'workspace',
    summary: 'Puts an exported document in the place of this workspace.',
    body: t.dictionary('What export gave.'),
    bodyLimit: LARGEST_IMPORT,
    data: t.answer({ last_seq: t.count() }),
  },
} as const satisfies ControlRoutes
