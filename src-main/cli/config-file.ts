import { ACCESS_KEY_ID, SECRET_KEY } from '../contract/access-key.ts'
import { routes } from '../contract/control/routes.ts'
import { parseProfile } from '../contract/profile.ts'
import { isRpId, isRpOrigin } from '../contract/rp-identity.ts'
import {
  decimal,
  dictionary,
  either,
  flag,
  list,
  millis,
  object,
  optional,
  secretText,
  shortText,
  text,
  whole,
} from '../contract/schema.ts'
import { problemOf } from '../contract/validate.ts'
import type { RpSeed } from '../control/seed-data.ts'
import type { ClockSetting } from '../harness/clock.ts'
import { readDocument } from '../harness/read-document.ts'
import type { NewPhone } from '../phone/phones-interface.ts'
import { CLOCK_END } from '../protocol/clock.ts'
import { CLOCK_SPEED } from '../protocol/kept-clock.ts'
import { err, ok, type Result } from '../protocol/result.ts'

/** A bench in one file. */
export type Config = {
  readonly rps?: readonly RpSeed[]
  readonly phones?: readonly NewPhone[]
  readonly profile?: Readonly<Record<string, unknown>>
  readonly clock?: ClockSetting
  readonly seed?: number
  readonly allow_hosts?: readonly string[]
}

export const configSchema = object({
  rps: optional(
    list(
      object({
        name: shortText('By which the next start finds it again.'),
        rp_id: text('A domain such as shop.example, or localhost.', { minLength: 1, maxLength: 253 }),
        origins: optional(
          list(text(), {
            minItems: 1,
            description:
              'Of its pages; when absent the bench’s own, or https:// and the RP ID where that is another site.',
          }),
        ),
        keys: optional(
          list(
            object({
              id: text('Letters, digits, `.`, `_`, `~` and `-`; up to 128.', ACCESS_KEY_ID),
              secret: secretText('1 to 256 characters.', SECRET_KEY),
            }),
            { description: 'Its access keys; one is drawn when absent.' },
          ),
        ),
      }),
      { minItems: 1, description: 'The relying parties; the first one is what `serve --json` prints.' },
    ),
  ),
  phones: optional(
    list(routes['phones.create'].body, { description: 'Phones, each as `POST /phones` takes it; names differ.' }),
  ),
  profile: optional(dictionary('Settings that differ from the defaults.')),
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

/** Refusals name the field. */
export const readConfig = (text: string): Result<Config, string> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const raw = document.value.value ?? {}
  const problem = problemOf(raw, configSchema)
  if (problem !== undefined) return err(problem.replace(/^The body/, 'The file'))
  const { clock, ...config } = raw as Omit<Config, 'clock'> & { readonly clock?: RawClock }
  for (const [i, { rp_id, origins = [] }] of (config.rps ?? []).entries()) {
    if (!isRpId(rp_id)) return err(`"rps[${i}].rp_id" must be a domain such as shop.example; got "${rp_id}".`)
    const wrong = origins.find((origin) => !isRpOrigin(origin))
    if (wrong !== undefined)
      return err(`"rps[${i}].origins" must be origins such as https://shop.example; got "${wrong}".`)
  }
  const twice =
    repeated(
      'rps',
      'name',
      config.rps?.map(({ name }) => name),
    ) ??
    repeated(
      'keys',
      'id',
      config.rps?.flatMap(({ keys = [] }) => keys.map(({ id }) => id)),
    ) ??
    repeated(
      'phones',
      'name',
      config.phones?.map(({ name }) => name),
    )
  if (twice !== undefined) return err(twice)
  const profile = parseProfile(config.profile ?? {})
  if (!profile.ok) return err(profile.error.detail)
  const setting = clock === undefined ? ok(undefined) : parseClock(clock)
  if (!setting.ok) return setting
  return ok({ ...config, ...(setting.value === undefined ? {} : { clock: setting.value }) })
}

/** What stands twice would be one thing at the next start. */
const repeated = (list: string, field: string, names: readonly string[] = []): string | undefined => {
  const name = names.find((one, i) => names.indexOf(one) !== i)
  return name === undefined ? undefined : `Two of "${list}" have the ${field} "${name}".`
}

type RawClock = Omit<ClockSetting, 'now'> & { readonly now?: number | string }

const parseClock = ({ now, ...rest }: RawClock): Result<ClockSetting, string> => {
  if (now === undefined) return ok(rest)
  const time = typeof now === 'number' ? now : Date.parse(now)
  return time >= 0 && time <= CLOCK_END
    ? ok({ ...rest, now: time })
    : err(`"clock.now" must be a time such as 2030-01-01T12:00:00Z, from 1970 to 9999; got "${now}".`)
}
