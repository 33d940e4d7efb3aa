import { wholeNumber } from './format.ts'
import { texts } from './texts.ts'

export type NumberRange = { readonly kind: 'whole' | 'part'; readonly least: number; readonly most: number }

export const isWithin = (text: string, { kind, least, most }: NumberRange): boolean => {
  const written = kind === 'whole' ? /^\d+$/ : /^\d+(\.\d+)?$/
  return written.test(text.trim()) && Number(text) >= least && Number(text) <= most
}

export const rangeText = ({ kind, least, most }: NumberRange): string =>
  texts.wrong[kind](wholeNumber(least), wholeNumber(most))
