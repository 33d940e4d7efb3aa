import type { TraceProblem } from '../../core/contract/trace.ts'
import { ok, type Result } from '../../core/protocol/result.ts'
import { indexTrace, type TraceBlock } from './index-trace.ts'
import type { HearTrace, ScannedTrace } from './read-trace.ts'
import type { TraceBytes } from './unpack-trace.ts'

/** Passes on the header and the last events: those before them are unpacked, but neither read nor checked. */
export const scanLast = async (
  file: TraceBytes,
  { hear, last }: { readonly hear: HearTrace; readonly last: number },
): Promise<Result<ScannedTrace, TraceProblem>> => {
  const indexed = await indexTrace(file, { keep: last })
  if (!indexed.ok) return indexed
  const { header, blocks, read } = indexed.value
  hear.header?.(header)
  const found: TraceBlock[] = []
  for (let number = blocks - 1, count = 0; number >= 0 && count < last; number--) {
    const block = read(number)
    if (!block.ok) return block
    found.unshift(block.value)
    count += block.value.events.length
  }
  const first = read(0)
  const began = first.ok ? first.value.events[0] : undefined
  if (began !== undefined) hear.began?.(began)
  const events = found.flatMap((block) => block.events).slice(-last)
  for (const event of events) hear.event(event)
  const heard = new Set(events.map(({ seq }) => seq))
  const signatures = found.flatMap((block) => block.signatures.filter(({ seq }) => heard.has(seq)))
  for (const signature of signatures) hear.signature?.(signature)
  return ok({ header, signatures })
}
