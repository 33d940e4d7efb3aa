import { escapeForJson } from './json.ts'

/**
 * A character that changes the text direction or the line; one that cannot be seen. A joiner is part of an emoji or of
 * a script other than ASCII.
 */
const INVISIBLE =
  /[\p{Bidi_Control}\p{Zl}\p{Zp}\u00ad\u180e\u200b\u2060-\u206f\ufeff]|(?<![^\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\0-\x7f])/gu

/** Text for a person to read, which may come from another program: invisible characters are shown as their numbers. */
export const escapeInvisible = (text: string): string => text.replace(INVISIBLE, escapeForJson)
