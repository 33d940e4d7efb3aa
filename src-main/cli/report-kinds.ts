import { err, ok, type Result } from '../core/protocol/result.ts'

/** The kinds of reports that an option names, each once and in the order in which they are known. */
export const parseReportKinds = <const K extends string>(
  given: readonly string[] = [],
  { known, name }: { readonly known: readonly K[]; readonly name: string },
): Result<readonly K[], string> => {
  const kinds = given.flatMap((text) => text.split(','))
  const wrong = kinds.find((kind) => !known.some((each) => each === kind))
  if (wrong !== undefined) return err(`${name} must be one of ${known.join(', ')}; got "${wrong}".`)
  return ok(known.filter((kind) => kinds.includes(kind)))
}
