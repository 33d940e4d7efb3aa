import type { Bytes } from '../protocol/bytes.ts'

export type Certificate = { readonly bytes: Bytes }
