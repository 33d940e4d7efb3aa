import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { Place } from '../contract/judge/verdict.ts'
import type { CborDecoded, CborFault, CborIrregularity } from './cbor.ts'
import type { Finding } from './check-list.ts'
import type { JudgeSwitches } from './switches.ts'

const FAULTS = {
  truncated: undefined,
  reserved_value: undefined,
  text_not_utf8: undefined,
  indefinite_length: 'cbor_indefinite_length',
  too_deep: 'cbor_too_deep',
  too_many_items: 'cbor_too_many_items',
} as const satisfies Record<CborFault, FailureWord | undefined>

/** The finding for bytes that could not be decoded; a fault without a word gets the word of the whole. */
export const cborFault = (
  problem: { readonly fault: CborFault; readonly offset: number },
  whole: { readonly word: FailureWord; readonly part: Place['part'] },
): Finding => ({
  word: FAULTS[problem.fault] ?? whole.word,
  received: { code: 'fault_at', params: { fault: problem.fault, byte: problem.offset } },
  at: { part: whole.part, start: problem.offset, end: problem.offset + 1 },
})

const IRREGULARITIES = {
  not_minimal: { word: 'cbor_not_minimal', switchable: true },
  unordered_keys: { word: 'cbor_keys_unordered', switchable: true },
  tag: { word: 'cbor_tag_present', switchable: true },
  unassigned_value: { word: 'cbor_value_unassigned', switchable: true },
  duplicate_key: { word: 'cbor_duplicate_key', switchable: false },
} as const satisfies Record<CborIrregularity, { word: FailureWord; switchable: boolean }>

export const cborIrregularities = (
  decoded: Pick<CborDecoded, 'irregularities'>,
  context: { readonly part: Place['part']; readonly switches: JudgeSwitches },
): readonly Finding[] =>
  decoded.irregularities
    .map((found) => ({ ...IRREGULARITIES[found.kind], start: found.start, end: found.end }))
    .filter((found) => !(found.switchable && context.switches.acceptNonCanonicalCbor))
    .map(({ word, start, end }) => ({ word, at: { part: context.part, start, end } }))
