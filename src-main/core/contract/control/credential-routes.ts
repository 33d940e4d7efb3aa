import { answer, choice, count, flag, list, MOST_DELETIONS, millis, object, optional, text, whole } from '../schema.ts'
import type { ControlRoutes } from './route.ts'

export const credentialState = answer({
  id: text(),
  rp: text(),
  user_id: text(),
  name: text(),
  storage: choice(['chip', 'cloud']),
  account: text(),
  device: text('The device it was made on.'),
  public_key: text('COSE_Key, base64url.'),
  algorithm: whole('COSE algorithm number.'),
  counter: count(),
  aaguid: text(),
  attestation_format: text(),
  transports: list(text()),
  backup_eligible: flag(),
  backup_state: flag(),
  user_verified: flag(),
  created_at: millis('Workspace time.'),
  updated_at: millis('Workspace time of the latest use.'),
})

export const credentialRoutes = {
  'credentials.list': {
    method: 'GET',
    path: '/credentials',
    scope: 'workspace',
    summary: 'The credentials, oldest first.',
    query: object({ rp: optional(text()), user_id: optional(text()) }),
    data: answer({ credentials: list(credentialState) }),
  },
  'credentials.delete': {
    method: 'DELETE',
    path: '/credentials/{id}',
    scope: 'workspace',
    summary: 'Removes a credential from the service; the phone that holds it is not told.',
    params: object({ id: text('The credential.') }),
    data: answer({}),
  },
  'credentials.undelete': {
    method: 'POST',
    path: '/credentials/{id}/undelete',
    scope: 'workspace',
    summary: `Takes a deletion back, whoever deleted: one of the last ${MOST_DELETIONS}.`,
    params: object({ id: text('The credential.') }),
    body: object({}),
    data: credentialState,
  },
} as const satisfies ControlRoutes
