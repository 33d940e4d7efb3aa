/** Who scanned, for display: `Li Wei (138****5678)`. */
export const svcUser = (account: { readonly name: string; readonly phone: string }): string =>
  `${account.name} (${maskPhone(account.phone)})`

/** Three digits in front and four behind; of short numbers less, so that at least three stay hidden. */
export const maskPhone = (phone: string): string => {
  if (phone.length >= 10) return `${phone.slice(0, 3)}****${phone.slice(-4)}`
  return phone.length >= 5 ? `****${phone.slice(-2)}` : '****'
}
