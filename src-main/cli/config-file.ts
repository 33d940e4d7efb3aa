import { type ConfigDocument, configSchema } from '../contract/config.ts'
import { findProblem } from '../contract/validate.ts'
import type { ClockSetting } from '../harness/clock.ts'
import { en } from '../messages/en/en.ts'
import { textOf } from '../messages/text.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { CLOCK_END } from '../protocol/time.ts'
import { readDocument } from '../scenario/read-document.ts'

/** A bench in one file, its time as a number. */
export type Config = Omit<ConfigDocument, 'clock'> & { readonly clock?: ClockSetting }

/** Refusals name the field. */
export const readConfig = (text: string): Result<Config, string> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const raw = document.value.value ?? {}
  const problem = findProblem(raw, configSchema)
  if (problem !== undefined) return err(textOf(en.reasons, problem))
  const { clock, ...config } = raw as ConfigDocument
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
  const setting = clock === undefined ? ok(undefined) : parseClock(clock)
  if (!setting.ok) return setting
  return ok({ ...config, ...(setting.value === undefined ? {} : { clock: setting.value }) })
}

/** What stands twice would be one thing at the next start. */
const repeated = (list: string, field: string, names: readonly string[] = []): string | undefined => {
  const name = names.find((one, i) => names.indexOf(one) !== i)
  return name === undefined ? undefined : `Two of "${list}" have the ${field} "${name}".`
}

const parseClock = ({ now, ...rest }: NonNullable<ConfigDocument['clock']>): Result<ClockSetting, string> => {
  if (now === undefined) return ok(rest)
  const time = typeof now === 'number' ? now : Date.parse(now)
  return time >= 0 && time <= CLOCK_END
    ? ok({ ...rest, now: time })
    : err(`"clock.now" must be a time such as 2030-01-01T12:00:00Z, from 1970 to 9999; got "${now}".`)
}
