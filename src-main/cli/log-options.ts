import { err, ok, type Result } from '../core/protocol/result.ts'
import { LOG_FORMS, LOG_LEVELS, type LogOptions } from './log.ts'
import type { OptionName } from './read-options.ts'

type Given = { readonly log?: string; readonly 'log-level'?: string; readonly verbose?: true }

export const parseLogOptions = (
  { log = 'text', 'log-level': level, verbose }: Given,
  named: OptionName,
): Result<LogOptions, string> => {
  const form = LOG_FORMS.find((each) => each === log)
  if (form === undefined) return err(`${named('log')} must be ${LOG_FORMS.join(', ')}; got "${log}".`)
  const wanted = level ?? (verbose === true ? 'info' : 'warn')
  const known = LOG_LEVELS.find((each) => each === wanted)
  if (known === undefined) return err(`${named('log-level')} must be ${LOG_LEVELS.join(', ')}; got "${wanted}".`)
  return ok({ form, level: known })
}
