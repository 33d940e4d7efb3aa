/** In the place of a secret, in logs, events and errors. */
export const MASK = '•••'
