import { accessKeyId, rpDomain, rpOrigins, secretKey } from '../rp-identity.ts'
import { answer, choice, list, MAX_DELETIONS, millis, object, optional, partial, shortText, text } from '../schema.ts'
import { type ControlRoutes, del, get, patch, post } from './route.ts'

export const rpState = answer({
  id: text('`rp_…`: how this interface and the events call the RP.'),
  name: text(),
  rp_id: text('The RP ID of WebAuthn: a domain.'),
  origins: list(text()),
  created_at: millis('Workspace time.'),
})

export const accessKeyState = answer({
  id: text(),
  rp: text(),
  state: choice(['active', 'disabled'], 'A disabled key is refused like an unknown one.'),
  created_at: millis('Workspace time.'),
  last_used_at: optional(millis('Workspace time; absent until a request was verified with it.')),
})

const rp = object({ rp: text('The RP’s id.') })
const keyId = object({ rp: text('The RP’s id.'), key: text('The access key’s id.') })

export const rpRoutes = {
  'rps.list': get('/rps', 'The relying parties.', { data: answer({ rps: list(rpState) }) }),
  'rps.create': post('/rps', 'Adds a relying party.', {
    body: object({ name: shortText(), rp_id: rpDomain, origins: optional(rpOrigins) }),
    data: rpState,
  }),
  'rps.get': get('/rps/{rp}', 'One relying party.', { params: rp, data: rpState }),
  'rps.patch': patch('/rps/{rp}', 'Changes a relying party.', {
    params: rp,
    body: partial({ name: shortText(), rp_id: rpDomain, origins: rpOrigins }),
    data: rpState,
  }),
  'rps.delete': del('/rps/{rp}', 'Removes a relying party with its keys, messages and credentials.', { params: rp }),
  'keys.list': get('/rps/{rp}/keys', 'An RP’s access keys, without their secrets.', {
    params: rp,
    data: answer({ keys: list(accessKeyState) }),
  }),
  'keys.create': post('/rps/{rp}/keys', 'Makes an access key. The answer holds its secret.', {
    reveals: true,
    params: rp,
    body: partial({ id: accessKeyId, secret: secretKey }),
    data: answer({ key: accessKeyState, secret: text() }),
  }),
  'keys.reveal': post('/rps/{rp}/keys/{key}/reveal', 'Shows an access key’s secret.', {
    reveals: true,
    params: keyId,
    data: answer({ secret: text() }),
  }),
  'keys.patch': patch('/rps/{rp}/keys/{key}', 'Disables or enables an access key.', {
    params: keyId,
    body: object({ state: choice(['active', 'disabled']) }),
    data: accessKeyState,
  }),
  'keys.delete': del(
    '/rps/{rp}/keys/{key}',
    'Removes an access key: requests signed with it are refused from now on.',
    { params: keyId },
  ),
  'keys.undelete': post(
    '/rps/{rp}/keys/{key}/undelete',
    `Takes the deletion of an access key back, with its secret and its state: one of the last ${MAX_DELETIONS}.`,
    { params: keyId, data: accessKeyState },
  ),
} as const satisfies ControlRoutes
