import { phoneName, phoneNumber } from '../app/fields.ts'
import { answer, choice, described, list, object, optional, orNull, shortText, text } from '../schema.ts'
import { behaviour, phoneId, phoneState, storage } from './phone-state.ts'
import { type ControlRoutes, onWorkspace } from './route.ts'

export const newPhone = {
  name: described(phoneName, 'What it is called.'),
  account: optional(
    object(
      { name: described(phoneName, 'For display.'), phone: phoneNumber },
      { description: 'Who signs in on it; when absent the phone’s own name with a number that is drawn.' },
    ),
  ),
  same_account_as: optional(
    text('The id of a phone that shares its account and secret; in a configuration file the name of one above.'),
  ),
  model: optional(shortText('One of `GET /phone-models`; `cloud-pebble` when absent.')),
  algorithm: optional(shortText('Of new keys, as the models list them; the model’s own choice when absent.')),
  storage: optional(storage),
  behaviour: optional(behaviour),
}

export const phoneMakingRoutes = {
  'phones.list': {
    ...onWorkspace('GET', '/phones'),
    summary: 'The virtual phones.',
    data: answer({ phones: list(phoneState) }),
  },
  'phones.create': {
    ...onWorkspace('POST', '/phones'),
    summary: 'Makes a phone and signs it in.',
    body: object({
      ...newPhone,
      lease: optional(text('A lease: the phone goes when it ends, with all that it left.')),
    }),
    data: phoneState,
  },
  'phones.get': { ...onWorkspace('GET', '/phones/{id}'), summary: 'One phone.', params: phoneId, data: phoneState },
  'phones.patch': {
    ...onWorkspace('PATCH', '/phones/{id}'),
    summary: 'Changes a phone.',
    params: phoneId,
    body: object({
      name: optional(described(phoneName, 'What it is called.')),
      model: optional(shortText('One of `GET /phone-models`; for new keys.')),
      algorithm: optional(orNull(shortText('Of new keys; null leaves it to the model again.'))),
      storage: optional(storage),
      behaviour: optional(behaviour),
      network: optional(choice(['online', 'offline'])),
    }),
    data: phoneState,
  },
  'phones.delete': {
    ...onWorkspace('DELETE', '/phones/{id}'),
    summary: 'Signs a phone out and takes it off the bench.',
    params: phoneId,
    data: answer({}),
  },
} as const satisfies ControlRoutes
