import { DAY_MS } from '../../protocol/time.ts'
import { clockSetting, clockState } from '../clock.ts'
import { conditionsPart, conditionsState } from '../conditions.ts'
import { PROFILE_KEYS } from '../profile.ts'
import { profilePart, wholeProfile } from '../profile-schema.ts'
import * as t from '../schema.ts'
import { scope } from '../scope.ts'
import { LARGEST_IMPORT } from '../workspace-document.ts'
import { addresses } from './bench-routes.ts'
import { type ControlRoutes, del, get, patch, post, put } from './route.ts'

const profileKey = t.choice(PROFILE_KEYS, 'A setting.')

export const profileState = t.answer({
  profile: wholeProfile,
  changed: t.list(profileKey, 'The settings that differ from their defaults.'),
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
  overview: get('/overview', 'The workspace at a glance.', {
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
  }),
  'workspace.reset': post(
    '/reset',
    'Back to the start: messages, credentials, accounts and phones go, the clock shows real time.',
    {
      body: t.partial({
        settings: t.flag('RPs, keys, roots, profile and conditions go as well, and the demo RP is new.'),
      }),
      data: t.answer({ last_seq: t.count() }),
    },
  ),
  'clock.get': get('/clock', 'The workspace’s clock.', { data: clockState }),
  'clock.put': put('/clock', 'Sets the clock: time, frozen or running, speed. What is not named stays.', {
    body: t.partial({
      ...clockSetting,
      real: t.constant(true, 'Back to real time, running at speed 1. It goes alone; the others go together.'),
    }),
    data: clockState,
  }),
  'clock.advance': post(
    '/clock/advance',
    'Moves the clock forward; everything that is due on the way happens in its order. It ends with the year 9999.',
    {
      body: t.either(
        t.object({ ms: t.duration('By so much.', 100 * 366 * DAY_MS) }),
        t.object({ to: t.choice(['next-expiry'], 'Just past the next expiry of a message.') }),
      ),
      data: clockState,
    },
  ),
  'profile.get': get('/profile', 'The profile, and what every setting means and may be.', { data: profileState }),
  'profile.patch': patch('/profile', 'Changes settings; all of them or none.', {
    body: profilePart,
    data: profileState,
  }),
  'profile.reset': post('/profile/reset', 'Puts settings back to their defaults.', {
    body: t.partial({ keys: t.list(profileKey) }),
    data: profileState,
  }),
  'conditions.get': get('/conditions', 'The network conditions in force.', { data: conditionsState }),
  'conditions.put': put(
    '/conditions',
    'Replaces the network conditions of `scope`, or those for everybody; what is not named is normal, other scopes keep theirs.',
    { body: leasedConditions, data: conditionsState },
  ),
  'conditions.patch': patch('/conditions', 'Changes the conditions that are named and leaves the rest.', {
    body: leasedConditions,
    data: conditionsState,
  }),
  'conditions.delete': del(
    '/conditions',
    'Sets the network conditions back to normal: those of the scope that is named, or all.',
    { query: t.object({ ...scope.properties }), data: conditionsState },
  ),
  'snapshots.list': get('/snapshots', 'The snapshots, oldest first.', {
    data: t.answer({ snapshots: t.list(snapshotState) }),
  }),
  'snapshots.create': post('/snapshots', 'Keeps the workspace as it is now.', {
    body: t.partial({ name: t.shortText() }),
    data: snapshotState,
  }),
  'snapshots.restore': post(
    '/snapshots/{id}/restore',
    'Puts the workspace back to a snapshot. Events go on counting.',
    { params: snapshotId, data: snapshotState },
  ),
  'snapshots.delete': del('/snapshots/{id}', 'Forgets a snapshot.', { params: snapshotId }),
  'snapshots.undelete': post(
    '/snapshots/{id}/undelete',
    `Takes the deletion of a snapshot back: one of the last ${t.MAX_DELETIONS}.`,
    { params: snapshotId, data: snapshotState },
  ),
  'workspace.export': get('/export', 'The whole workspace as one document. It holds secrets.', {
    reveals: true,
    data: t.dictionary(),
    large: true,
  }),
  'workspace.import': post('/import', 'Puts an exported document in the place of this workspace.', {
    body: t.dictionary('What export gave.'),
    bodyLimit: LARGEST_IMPORT,
    data: t.answer({ last_seq: t.count() }),
  }),
} as const satisfies ControlRoutes
