import type { en } from './en/en.ts'

type Table<English> = { readonly [Code in keyof English]: English[Code] extends string ? string : English[Code] }

/** Every sentence by its code, in one language: what English says, each language says. */
export type Messages = { readonly [Name in keyof typeof en]: Table<(typeof en)[Name]> }
