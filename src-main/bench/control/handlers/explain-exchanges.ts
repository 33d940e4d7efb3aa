import type { BenchEvent } from '../../../core/contract/events.ts'
import { isSignatureMismatch } from '../../../core/contract/signature-mismatch.ts'
import type { TracedSignature } from '../../../core/contract/trace.ts'
import type { ControlParts } from '../control-parts.ts'
import { explainExchange } from './explain-exchange.ts'

/** Why signatures did not match, for up to `most` of the latest requests that were refused for it. */
export const explainExchanges = async (
  parts: ControlParts,
  workspace: string,
  { events, most }: { readonly events: readonly BenchEvent[]; readonly most: number },
): Promise<readonly TracedSignature[]> => {
  const found: TracedSignature[] = []
  for (const { seq } of events.filter(isSignatureMismatch).slice(-most)) {
    const explained = await explainExchange(parts, workspace, seq)
    // A key or an event may be gone by now.
    if (explained.ok) found.push({ seq, explanation: explained.value })
  }
  return found
}
