import type { JudgedStep } from '../contract/judge/verdict.ts'

/** What was wrong: the word that stays stable, and what was there instead of what was wanted. */
export type Finding = Pick<JudgedStep, 'expected' | 'received' | 'at'> & Required<Pick<JudgedStep, 'word'>>

/** What a decoder got out of untrusted bytes: as much as it could, and everything that was wrong with them. */
export type Decoded<T> = { readonly value?: T; readonly findings: readonly Finding[] }

export type StepDetail = Pick<JudgedStep, 'expected' | 'received' | 'note' | 'at' | 'checks'>
