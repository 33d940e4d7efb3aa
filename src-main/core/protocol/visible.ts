import { escapeForJson } from './json.ts'

/**
 * Matches characters that are invisible or change the text direction or the line. A joiner between two characters other
 * than ASCII does not match: it is part of an emoji or a script.
 */
const INVISIBLE =
  /[\p{Bidi_Control}\p{Zl}\p{Zp}\u00ad\u180e\u200b\u2060-\u206f\ufeff]|(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])/gu

/** Text for a person to read, which may come from another program: invisible characters are shown as their numbers. */
export const escapeInvisible = (text: string): string => text.replace(INVISIBLE, escapeForJson)
