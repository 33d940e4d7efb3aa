import { isWorkspaceId } from '../../protocol/ids.ts'
import { clockSetting } from '../clock.ts'
import { profilePart } from '../profile-schema.ts'
import * as t from '../schema.ts'
import { type ControlRoutes, onBench } from './route.ts'
import { labels, leaseMs, quota, workspaceAbout } from './workspace-about.ts'

export const addresses = {
  base_url: t.text('What an RP uses.'),
  app_url: t.text('What a phone uses.'),
  control_url: t.text('This interface.'),
  ui_url: t.text('The page.'),
  target: t.optional(t.text('Of `handset proxy`: the `base_url` of the service to which it passes calls on.')),
}

export const workspaceState = t.answer({
  id: t.text(),
  seed: t.orNull(t.whole('The seed of its random values; null when they are truly random.')),
  last_seq: t.count('The number of its latest event.'),
  ...workspaceAbout.properties,
  expires_at: t.optional(t.orNull(t.millis('When its lease ends, in real time; null while somebody uses it.'))),
  problem: t.optional(t.coded('What is damaged of it. It stays closed, and can only be deleted.')),
  ...addresses,
})

const workspaceId = t.object({ id: t.text('The workspace.') })

const { del, get, patch, post } = onBench

/** Only at `/control/v1`, not below `/w/<id>`. */
export const benchRoutes = {
  'bench.info': get('/info', 'What runs here.', {
    limited: true,
    data: t.answer({
      version: t.text(),
      control_version: t.constant(1),
      pid: t.count(),
      node: t.text(),
      data_directory: t.orNull(t.text('Null: everything is in memory.')),
      workspaces: t.list(t.text()),
      ...addresses,
    }),
  }),
  'session.open': post('/session', 'Exchanges the one-time code in the page’s address for the control token.', {
    open: true,
    body: t.object({ code: t.secretText() }),
    bodyLimit: 1024,
    data: t.answer({ token: t.text() }),
  }),
  'session.invite': post('/session/codes', 'Makes a one-time code with which another page can open a session.', {
    limited: true,
    body: t.partial({ workspace: t.text('The workspace whose page it is for; main when absent.') }),
    data: t.answer({ code: t.text(), url: t.text('The page’s address with the code in it.') }),
  }),
  'workspaces.list': get('/workspaces', 'The workspaces: all, or those of an owner or with a label.', {
    limited: true,
    query: t.partial({ owner: t.shortText(), label: t.shortText() }),
    data: t.answer({ workspaces: t.list(workspaceState) }),
  }),
  'workspaces.create': post(
    '/workspaces',
    'Opens a workspace: a bench of its own, so that parallel tests do not meet.',
    {
      limited: true,
      body: t.partial({
        id: t.refined(t.text('Lower-case letters, digits and hyphens; drawn when absent.'), isWorkspaceId, {
          code: 'workspace_id',
        }),
        seed: t.whole('Makes its random values repeat.', { minimum: 0 }),
        clock: t.described(
          t.partial(clockSetting),
          'Where its clock starts; that of other new workspaces when absent.',
        ),
        profile: t.described(profilePart, 'Settings that differ from the defaults.'),
        rp: t.choice(['demo', 'none'], 'Whether it starts with one RP that has one access key. The default is demo.'),
        owner: t.shortText('Whose it is, for people.'),
        labels,
        lease_ms: leaseMs,
        quota: t.described(quota, 'How much of each it may hold. A limited token’s own goes before it.'),
        lease: t.text('A lease of the workspace main: the new workspace is closed when it ends.'),
      }),
      data: workspaceState,
    },
  ),
  'workspaces.get': get('/workspaces/{id}', 'One workspace.', {
    limited: true,
    params: workspaceId,
    data: workspaceState,
  }),
  'workspaces.patch': patch(
    '/workspaces/{id}',
    'Changes what a workspace is for and what it may hold; null takes a setting away.',
    {
      limited: true,
      params: workspaceId,
      body: t.partial({
        owner: t.orNull(t.shortText('Whose it is, for people.')),
        labels,
        lease_ms: t.orNull(leaseMs),
        quota: t.orNull(quota),
      }),
      data: workspaceState,
    },
  ),
  'workspaces.close': del(
    '/workspaces/{id}',
    'Closes a workspace and removes all of it. The workspace main cannot be closed.',
    { limited: true, params: workspaceId },
  ),
} as const satisfies ControlRoutes
