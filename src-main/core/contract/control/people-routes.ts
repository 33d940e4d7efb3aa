import { answer, flag, list, millis, object, text } from '../schema.ts'
import { type ControlRoutes, del, get } from './route.ts'

export const accountState = answer({
  id: text(),
  name: text(),
  phone: text(),
  protected: flag('Made with a proof: only those who know its secret sign in to it, and it has a vault.'),
  created_at: millis('Workspace time.'),
})

export const deviceState = answer({
  id: text(),
  account: text(),
  name: text(),
  connected: flag('Its inbox is open.'),
  created_at: millis('Workspace time.'),
})

export const peopleRoutes = {
  'accounts.list': get('/accounts', 'The accounts of the app.', { data: answer({ accounts: list(accountState) }) }),
  'devices.list': get('/devices', 'The signed-in devices: the virtual phones and any others.', {
    data: answer({ devices: list(deviceState) }),
  }),
  'devices.sign-out': del('/devices/{id}', 'Signs a device out; its token is dead from then on.', {
    params: object({ id: text('The device.') }),
  }),
} as const satisfies ControlRoutes
