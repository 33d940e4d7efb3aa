import { CLOCK_END, CLOCK_SPEED } from '../protocol/time.ts'
import { newPhone } from './control/phone-making-routes.ts'
import { profilePart } from './profile-schema.ts'
import { accessKeyId, rpDomain, rpOrigins, secretKey } from './rp-identity.ts'
import {
  decimal,
  described,
  either,
  flag,
  list,
  millis,
  object,
  optional,
  shortText,
  text,
  type ValueOf,
  whole,
} from './schema.ts'

export const configSchema = object({
  rps: optional(
    list(
      object({
        name: shortText('By which the next start finds it again.'),
        rp_id: described(rpDomain, 'A domain such as shop.example, or localhost.'),
        origins: optional(rpOrigins),
        keys: optional(
          list(
            object({
              id: described(accessKeyId, 'Letters, digits, `.`, `_`, `~` and `-`; up to 128.'),
              secret: described(secretKey, '1 to 256 characters.'),
            }),
            { description: 'Its access keys; one is drawn when absent.' },
          ),
        ),
      }),
      { minItems: 1, description: 'The relying parties; the first one is what `serve --json` prints.' },
    ),
  ),
  phones: optional(list(object(newPhone), { description: 'Phones, each as `POST /phones` takes it; names differ.' })),
  profile: optional(described(profilePart, 'Settings that differ from the defaults.')),
  clock: optional(
    object(
      {
        now: optional(either(millis(undefined, CLOCK_END), text('Or a time such as 2030-01-01T12:00:00Z.'))),
        frozen: optional(flag('Whether it stands still.')),
        speed: optional(decimal('Workspace seconds per real second.', CLOCK_SPEED)),
      },
      { description: 'Of the workspace `main`; real time when absent.' },
    ),
  ),
  allow_hosts: optional(list(text('A name under which others reach the bench, as --allow-host has it.'))),
  seed: optional(whole('Ids, keys and challenges repeat from run to run.', { minimum: 0 })),
})

export type ConfigDocument = ValueOf<typeof configSchema>
