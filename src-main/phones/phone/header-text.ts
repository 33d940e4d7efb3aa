const HEADER_TEXT = /^[\x21-\x7e]{1,512}$/

/** Checks that a value from the service can be sent back to it in a header. */
export const isHeaderText = (value: unknown): value is string => typeof value === 'string' && HEADER_TEXT.test(value)
