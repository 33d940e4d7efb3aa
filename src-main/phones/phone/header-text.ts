const HEADER_TEXT = /^[\x21-\x7e]{1,512}$/

/** Whether what a service gave can be sent back to it in a header. */
export const isHeaderText = (value: unknown): value is string => typeof value === 'string' && HEADER_TEXT.test(value)
