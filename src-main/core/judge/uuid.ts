import { toHex } from '../protocol/bytes.ts'

/** RFC 9562's text form. */
export const formatUuid = (bytes: Uint8Array): string =>
  toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
