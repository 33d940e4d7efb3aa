import type { Press } from '../../../src-renderer/palette/chords.ts'

/** A key that was pressed alone, unless said otherwise. */
export const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})
