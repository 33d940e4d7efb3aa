import { isWorkspaceId } from '../../protocol/ids.ts'
import { CLOCK_END, CLOCK_SPEED } from '../../protocol/time.ts'
import { profilePart } from '../profile-schema.ts'
import {
  answer,
  choice,
  coded,
  constant,
  count,
  decimal,
  described,
  flag,
  list,
  millis,
  object,
  optional,
  orNull,
  refined,
  secretText,
  shortText,
  text,
  whole,
} from '../schema.ts'
import type { ControlRoutes } from './route.ts'
import { labels, leaseMs, quota, workspaceAbout } from './workspace-about.ts'

/** Absent settings stay as they are. */
export const clockSetting = {
  now: optional(
    millis('A time before the present one is allowed; alarms that have rung do not ring again.', CLOCK_END),
  ),
  frozen: optional(flag()),
  speed: optional(decimal('Workspace seconds per real second.', CLOCK_SPEED)),
}

export const addresses = {
  base_url: text('What an RP uses.'),
  app_url: text('What a phone uses.'),
  control_url: text('This interface.'),
  ui_url: text('The page.'),
  target: optional(text('Of `handset proxy`: the `base_url` of the service to which it passes calls on.')),
}

export const workspaceState = answer({
  id: text(),
  seed: orNull(whole('The seed of its random values; null when they are truly random.')),
  last_seq: count('The number of its latest event.'),
  ...workspaceAbout.properties,
  expires_at: optional(orNull(millis('When its lease ends, in real time; null while somebody uses it.'))),
  problem: optional(coded('What is damaged of it. It stays closed, and can only be deleted.')),
  ...addresses,
})

const about = {
  owner: optional(shortText('Whose it is, for people.')),
  labels: optional(labels),
  lease_ms: optional(leaseMs),
  quota: optional(described(quota, 'How much of each it may hold. A limited token’s own goes before it.')),
}

const workspaceId = object({ id: text('The workspace.') })

/** Only at `/control/v1`, not below `/w/<id>`. */
export const benchRoutes = {
  'bench.info': {
    method: 'GET',
    path: '/info',
    scope: 'bench',
    limited: true,
    summary: 'What runs here.',
    data: answer({
      version: text(),
      control_version: constant(1),
      pid: count(),
      node: text(),
      data_directory: orNull(text('Null: everything is in memory.')),
      workspaces: list(text()),
      ...addresses,
    }),
  },
  'session.open': {
    method: 'POST',
    path: '/session',
    scope: 'bench',
    open: true,
    summary: 'Exchanges the one-time code in the page’s address for the control token.',
    body: object({ code: secretText() }),
    bodyLimit: 1024,
    data: answer({ token: text() }),
  },
  'session.invite': {
    method: 'POST',
    path: '/session/codes',
    scope: 'bench',
    limited: true,
    summary: 'Makes a one-time code with which another page can open a session.',
    body: object({ workspace: optional(text('The workspace whose page it is for; main when absent.')) }),
    data: answer({ code: text(), url: text('The page’s address with the code in it.') }),
  },
  'workspaces.list': {
    method: 'GET',
    path: '/workspaces',
    scope: 'bench',
    limited: true,
    summary: 'The workspaces: all, or those of an owner or with a label.',
    query: object({ owner: optional(shortText()), label: optional(shortText()) }),
    data: answer({ workspaces: list(workspaceState) }),
  },
  'workspaces.create': {
    method: 'POST',
    path: '/workspaces',
    scope: 'bench',
    limited: true,
    summary: 'Opens a workspace: a bench of its own, so that parallel tests do not meet.',
    body: object({
      id: optional(
        refined(text('Lower-case letters, digits and hyphens; drawn when absent.'), isWorkspaceId, {
          code: 'workspace_id',
        }),
      ),
      seed: optional(whole('Makes its random values repeat.', { minimum: 0 })),
      clock: optional(
        described(object(clockSetting), 'Where its clock starts; that of other new workspaces when absent.'),
      ),
      profile: optional(described(profilePart, 'Settings that differ from the defaults.')),
      rp: optional(
        choice(['demo', 'none'], 'Whether it starts with one RP that has one access key. The default is demo.'),
      ),
      ...about,
      lease: optional(text('A lease of the workspace main: the new workspace is closed when it ends.')),
    }),
    data: workspaceState,
  },
  'workspaces.get': {
    method: 'GET',
    path: '/workspaces/{id}',
    scope: 'bench',
    limited: true,
    summary: 'One workspace.',
    params: workspaceId,
    data: workspaceState,
  },
  'workspaces.patch': {
    method: 'PATCH',
    path: '/workspaces/{id}',
    scope: 'bench',
    limited: true,
    summary: 'Changes what a workspace is for and what it may hold; null takes a setting away.',
    params: workspaceId,
    body: object({
      owner: optional(orNull(shortText('Whose it is, for people.'))),
      labels: optional(labels),
      lease_ms: optional(orNull(leaseMs)),
      quota: optional(orNull(quota)),
    }),
    data: workspaceState,
  },
  'workspaces.close': {
    method: 'DELETE',
    path: '/workspaces/{id}',
    scope: 'bench',
    limited: true,
    summary: 'Closes a workspace and removes all of it. The workspace main cannot be closed.',
    params: workspaceId,
    data: answer({}),
  },
} as const satisfies ControlRoutes
