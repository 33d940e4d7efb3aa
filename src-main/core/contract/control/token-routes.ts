import { isWorkspaceId } from '../../protocol/ids.ts'
import {
  answer,
  count,
  described,
  flag,
  list,
  millis,
  object,
  optional,
  refined,
  shortText,
  text,
  type ValueOf,
} from '../schema.ts'
import type { ControlRoutes } from './route.ts'
import { quota } from './workspace-about.ts'

const workspaceId = refined(text(), isWorkspaceId, { code: 'workspace_id' })

const limits = {
  name: shortText('What it is for.'),
  workspaces: list(workspaceId, { maxItems: 1000, uniqueItems: true, description: 'It sees these, and no others.' }),
  may_open: count('How many workspaces of its own it may have open; it sees these as well.'),
  quota,
  reveal_secrets: flag('Whether it may read access keys and export workspaces.'),
}

export const tokenState = answer({ id: text(), ...limits, created_at: millis('Real time.') })

export type TokenState = ValueOf<typeof tokenState>

/** Only the bench's own token may create them. */
export const tokenRoutes = {
  'tokens.list': {
    method: 'GET',
    path: '/tokens',
    scope: 'bench',
    summary: 'The tokens that are limited to workspaces, oldest first.',
    data: answer({ tokens: list(tokenState) }),
  },
  'tokens.create': {
    method: 'POST',
    path: '/tokens',
    scope: 'bench',
    summary: 'Makes a token that is limited to workspaces. Only this answer holds it.',
    body: object({
      name: optional(limits.name),
      workspaces: optional(limits.workspaces),
      may_open: optional(limits.may_open),
      quota: optional(described(quota, 'Of each workspace that it opens.')),
      reveal_secrets: optional(limits.reveal_secrets),
    }),
    data: answer({ token: tokenState, secret: text('What the caller sends; it is not kept.') }),
  },
  'tokens.revoke': {
    method: 'DELETE',
    path: '/tokens/{id}',
    scope: 'bench',
    summary: 'Revokes a token: its calls are refused and its streams end at once. What it opened stays.',
    params: object({ id: text('The token.') }),
    data: answer({}),
  },
} as const satisfies ControlRoutes
