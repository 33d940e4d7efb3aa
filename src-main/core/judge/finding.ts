import type { JudgedStep } from '../contract/judge/verdict.ts'

/** A failure: its stable word, and the received value next to the expected one. */
export type Finding = Pick<JudgedStep, 'expected' | 'received' | 'at'> & Required<Pick<JudgedStep, 'word'>>

/** The result of decoding untrusted bytes: as much as could be read, and every problem in them. */
export type Decoded<T> = { readonly value?: T; readonly findings: readonly Finding[] }

export type StepDetail = Pick<JudgedStep, 'expected' | 'received' | 'note' | 'at' | 'checks'>
