import { accessKeyId, rpDomain, rpOrigins, secretKey } from '../rp-identity.ts'
import { answer, choice, list, MAX_DELETIONS, millis, object, optional, shortText, text } from '../schema.ts'
import { type ControlRoutes, onWorkspace } from './route.ts'

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
  'rps.list': { ...onWorkspace('GET', '/rps'), summary: 'The relying parties.', data: answer({ rps: list(rpState) }) },
  'rps.create': {
    ...onWorkspace('POST', '/rps'),
    summary: 'Adds a relying party.',
    body: object({ name: shortText(), rp_id: rpDomain, origins: optional(rpOrigins) }),
    data: rpState,
  },
  'rps.get': { ...onWorkspace('GET', '/rps/{rp}'), summary: 'One relying party.', params: rp, data: rpState },
  'rps.patch': {
    ...onWorkspace('PATCH', '/rps/{rp}'),
    summary: 'Changes a relying party.',
    params: rp,
    body: object({ name: optional(shortText()), rp_id: optional(rpDomain), origins: optional(rpOrigins) }),
    data: rpState,
  },
  'rps.delete': {
    ...onWorkspace('DELETE', '/rps/{rp}'),
    summary: 'Removes a relying party with its keys, messages and credentials.',
    params: rp,
  },
  'keys.list': {
    ...onWorkspace('GET', '/rps/{rp}/keys'),
    summary: 'An RP’s access keys, without their secrets.',
    params: rp,
    data: answer({ keys: list(accessKeyState) }),
  },
  'keys.create': {
    ...onWorkspace('POST', '/rps/{rp}/keys'),
    reveals: true,
    summary: 'Makes an access key. The answer holds its secret.',
    params: rp,
    body: object({ id: optional(accessKeyId), secret: optional(secretKey) }),
    data: answer({ key: accessKeyState, secret: text() }),
  },
  'keys.reveal': {
    ...onWorkspace('POST', '/rps/{rp}/keys/{key}/reveal'),
    reveals: true,
    summary: 'Shows an access key’s secret.',
    params: keyId,
    data: answer({ secret: text() }),
  },
  'keys.patch': {
    ...onWorkspace('PATCH', '/rps/{rp}/keys/{key}'),
    summary: 'Disables or enables an access key.',
    params: keyId,
    body: object({ state: choice(['active', 'disabled']) }),
    data: accessKeyState,
  },
  'keys.delete': {
    ...onWorkspace('DELETE', '/rps/{rp}/keys/{key}'),
    summary: 'Removes an access key: requests signed with it are refused from now on.',
    params: keyId,
  },
  'keys.undelete': {
    ...onWorkspace('POST', '/rps/{rp}/keys/{key}/undelete'),
    summary: `Takes the deletion of an access key back, with its secret and its state: one of the last ${MAX_DELETIONS}.`,
    params: keyId,
    data: accessKeyState,
  },
} as const satisfies ControlRoutes
