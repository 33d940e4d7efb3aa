import { answer, decimal, list, MOST_DELETIONS, millis, object, shortText, text } from '../schema.ts'
import type { ControlRoutes } from './route.ts'

export const rootState = answer({
  id: text(),
  name: text(),
  certificate: text('DER, base64.'),
  subject: text(),
  not_before: decimal(),
  not_after: decimal(),
  created_at: millis('Workspace time.'),
})

/** Where attestation may lead. */
export const rootRoutes = {
  'roots.list': {
    method: 'GET',
    path: '/roots',
    scope: 'workspace',
    summary: 'The roots that attestation may lead to.',
    data: answer({ roots: list(rootState) }),
  },
  'roots.add': {
    method: 'POST',
    path: '/roots',
    scope: 'workspace',
    summary: 'Trusts one more root.',
    body: object({ name: shortText(), certificate: text('PEM, or base64 of the DER.', { maxLength: 65_536 }) }),
    bodyLimit: 128 * 1024,
    data: rootState,
  },
  'roots.delete': {
    method: 'DELETE',
    path: '/roots/{id}',
    scope: 'workspace',
    summary: 'Trusts a root no longer.',
    params: object({ id: text('The root.') }),
    data: answer({}),
  },
  'roots.undelete': {
    method: 'POST',
    path: '/roots/{id}/undelete',
    scope: 'workspace',
    summary: `Trusts a root again: one of the last ${MOST_DELETIONS} deletions.`,
    params: object({ id: text('The root.') }),
    body: object({}),
    data: rootState,
  },
  'roots.export': {
    method: 'GET',
    path: '/roots/own',
    scope: 'workspace',
    summary: 'The bench’s own root, for verifiers elsewhere.',
    data: answer({ pem: text() }),
  },
} as const satisfies ControlRoutes
