import { isWorkspaceId } from '../../protocol/ids.ts'
import * as t from '../schema.ts'
import { type ControlRoutes, onBench } from './route.ts'
import { quota } from './workspace-about.ts'

const workspaceId = t.refined(t.text(), isWorkspaceId, { code: 'workspace_id' })

const limits = {
  name: t.shortText('What it is for.'),
  workspaces: t.list(workspaceId, { maxItems: 1000, uniqueItems: true, description: 'It sees these, and no others.' }),
  may_open: t.count('How many workspaces of its own it may have open; it sees these as well.'),
  quota,
  reveal_secrets: t.flag('Whether it may read access keys and export workspaces.'),
}

export const tokenState = t.answer({ id: t.text(), ...limits, created_at: t.millis('Real time.') })

export type TokenState = t.ValueOf<typeof tokenState>

const { del, get, post } = onBench

/** Only the bench's own token may create them. */
export const tokenRoutes = {
  'tokens.list': get('/tokens', 'The tokens that are limited to workspaces, oldest first.', {
    data: t.answer({ tokens: t.list(tokenState) }),
  }),
  'tokens.create': post('/tokens', 'Makes a token that is limited to workspaces. Only this answer holds it.', {
    body: t.partial({ ...limits, quota: t.described(quota, 'Of each workspace that it opens.') }),
    data: t.answer({ token: tokenState, secret: t.text('What the caller sends; it is not kept.') }),
  }),
  'tokens.revoke': del(
    '/tokens/{id}',
    'Revokes a token: its calls are refused and its streams end at once. What it opened stays.',
    { params: t.object({ id: t.text('The token.') }) },
  ),
} as const satisfies ControlRoutes
