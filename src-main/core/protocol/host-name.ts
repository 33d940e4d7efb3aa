/** A name or an address, with or without a port, as a Host header has it. */
export const isHostName = (text: string): boolean =>
  /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)(:\d{1,5})?$/i.test(text) && URL.canParse(`http://${text}`)
