import type { Result } from '../../protocol/result.ts'
import type { Store } from './store.ts'

export type StoreLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'directory'; readonly path: string; readonly synchronous?: 'full' | 'normal' }

/** Refusals are sentences: a directory in use names its holder, one of a newer version is left untouched. */
export declare const openStore: (location: StoreLocation) => Promise<Result<Store, string>>
