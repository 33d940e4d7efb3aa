/** WebAuthn §5.1.3 step 8: a web origin may use its own host or a parent domain of it. Other origins are apps. */
export const rpIdFitsOrigin = (input: { readonly rpId: string; readonly origin: string }): boolean => {
  const match = /^https?:\/\/(\[[^\]]*\]|[^/:]*)(?::\d+)?$/.exec(input.origin)
  const host = match?.[1]
  return host === undefined || host === input.rpId || host.endsWith(`.${input.rpId}`)
}
