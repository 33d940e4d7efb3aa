import type { ClockSetting } from '../bench/harness/clock.ts'
import { type ConfigDocument, configSchema } from '../core/contract/config.ts'
import type { FieldProblem } from '../core/contract/reasons.ts'
import type { FileProblem } from '../core/contract/scenario/file-problems.ts'
import { findProblem } from '../core/contract/validate.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { CLOCK_END } from '../core/protocol/time.ts'
import { readDocument } from '../testing/scenario/read-document.ts'

/** A bench in one file, its time as a number. */
export type Config = Omit<ConfigDocument, 'clock'> & { readonly clock?: ClockSetting }

/** Refusals name the field. */
export const readConfig = (text: string): Result<Config, FileProblem> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const raw = document.value.value ?? {}
  const problem = findProblem(raw, configSchema)
  if (problem !== undefined) return err(unfit(problem))
  const { clock, ...config } = raw as ConfigDocument
  const { rps = [], phones = [] } = config
  const twice =
    repeated(rps.map(({ name }, i) => ({ at: `rps[${i}]`, field: 'name', value: name }))) ??
    repeated(
      rps.flatMap(({ keys = [] }, i) =>
        keys.map(({ id }, j) => ({ at: `rps[${i}].keys[${j}]`, field: 'id', value: id })),
      ),
    ) ??
    repeated(phones.map(({ name }, i) => ({ at: `phones[${i}]`, field: 'name', value: name })))
  if (twice !== undefined) return err(unfit(twice))
  const setting = clock === undefined ? ok(undefined) : parseClock(clock)
  if (!setting.ok) return setting
  return ok({ ...config, ...(setting.value === undefined ? {} : { clock: setting.value }) })
}

const unfit = (problem: FieldProblem): FileProblem => ({ code: 'unfit', params: { problem }, at: [] })

type Named = { readonly at: string; readonly field: string; readonly value: string }

/** What stands twice would be one thing at the next start. */
const repeated = (all: readonly Named[]): FieldProblem | undefined => {
  for (const [i, { at, field, value }] of all.entries()) {
    const other = all.slice(0, i).find((each) => each.value === value)
    const params = { field: `${at}.${field}`, other: other?.at ?? '', value: JSON.stringify(value) }
    if (other !== undefined) return { code: 'field_repeats', params }
  }
  return undefined
}

const parseClock = ({ now, ...rest }: NonNullable<ConfigDocument['clock']>): Result<ClockSetting, FileProblem> => {
  if (now === undefined) return ok(rest)
  const time = typeof now === 'number' ? now : Date.parse(now)
  return time >= 0 && time <= CLOCK_END
    ? ok({ ...rest, now: time })
    : err(unfit({ code: 'field_unfit', params: { field: 'clock.now', expected: { code: 'moment' }, got: `"${now}"` } }))
}
