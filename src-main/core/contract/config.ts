import { CLOCK_END } from '../protocol/time.ts'
import { clockSetting } from './clock.ts'
import { newPhone } from './control/phone-routes.ts'
import { profilePart } from './profile-schema.ts'
import { accessKeyId, rpDomain, rpOrigins, secretKey } from './rp-identity.ts'
import * as t from './schema.ts'

const accessKey = t.object({
  id: t.described(accessKeyId, 'Letters, digits, `.`, `_`, `~` and `-`; up to 128.'),
  secret: t.described(secretKey, '1 to 256 characters.'),
})

const rp = t.object({
  name: t.shortText('By which the next start finds it again.'),
  rp_id: t.described(rpDomain, 'A domain such as shop.example, or localhost.'),
  origins: t.optional(rpOrigins),
  keys: t.optional(t.list(accessKey, 'Its access keys; one is drawn when absent.')),
})

const clock = t.partial({
  ...clockSetting,
  now: t.either(t.millis(undefined, CLOCK_END), t.text('Or a time such as 2030-01-01T12:00:00Z.')),
})

const run = t.partial({
  paths: t.list(t.text('A scenario, a folder or a pattern, from this file on.'), { minItems: 1 }),
  parallel: t.whole('How many run at a time.', { minimum: 1, maximum: 64 }),
  retries: t.whole('How often one that failed is tried again.', { minimum: 0, maximum: 100 }),
  max_failures: t.whole('Stop when so many have failed.', { minimum: 1 }),
  timeout: t.text('Stop the whole run after this time, such as `10m`.'),
  tag: t.list(t.text('Only those with all these tags.')),
  exclude: t.text('Not those whose name or file holds this text.'),
  report: t.list(t.text('`html`, `junit`, `json` or `github`.')),
  trace: t.text('`on`, `failure` or `off`.'),
  profile: t.described(profilePart, 'Of the service in each scenario; what its own `profile` says overrides it.'),
  out: t.text('Where reports and traces go, from this file on.'),
})

export const configSchema = t.partial({
  rps: t.list(rp, { minItems: 1, description: 'The relying parties; the first one is what `serve --json` prints.' }),
  phones: t.list(t.object(newPhone), 'Phones, each as `POST /phones` takes it; names differ.'),
  profile: t.described(profilePart, 'Settings that differ from the defaults.'),
  clock: t.described(clock, 'Of the workspace `main`; real time when absent.'),
  allow_hosts: t.list(t.text('A name under which others reach the bench, as --allow-host has it.')),
  seed: t.whole('Ids, keys and challenges repeat from run to run.', { minimum: 0 }),
  run: t.described(
    run,
    'In `handset.config.yaml`: what `handset run` does where neither an option nor a variable says it.',
  ),
})

export type ConfigDocument = t.ValueOf<typeof configSchema>
export type RpSeed = t.ValueOf<typeof rp>
