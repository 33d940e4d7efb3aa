import type { en } from './en/en.ts'

type Table<English> = { readonly [Code in keyof English]: English[Code] extends string ? string : English[Code] }

/** Every language has all texts of English. */
export type Messages = { readonly [Name in keyof typeof en]: Table<(typeof en)[Name]> }
