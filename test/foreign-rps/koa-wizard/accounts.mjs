// Who has an account here. An account exists from its first passkey on.
import { randomBytes } from 'node:crypto'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `u-`, ten digits of the time in milliseconds and sixteen by chance: ids sort by their age. */
export const newUserId = () => {
  let time = ''
  for (let rest = Date.now(); time.length < 10; rest = Math.floor(rest / 32)) time = DIGITS[rest % 32] + time
  const chance = Array.from(randomBytes(16), (octet) => DIGITS[octet % 32]).join('')
  return `u-${time}${chance}`
}

const keyOf = (name) => name.toLowerCase()

/** The name as it is kept, or undefined if it cannot be one. */
export const cleanName = (typed) => {
  if (typeof typed !== 'string') return undefined
  const name = typed.normalize('NFC').trim()
  return name !== '' && [...name].length <= 80 && !/[\p{Cc}\p{Cs}]/u.test(name) ? name : undefined
}

export class Accounts {
  #byName = new Map()

  find(name) {
    return this.#byName.get(keyOf(name))
  }

  /** An account that nobody can find before it is added. */
  draft(name) {
    return { name, userId: newUserId(), passkeys: new Set() }
  }

  /** False if somebody else has this name meanwhile. */
  add(account) {
    const holder = this.find(account.name) ?? account
    if (holder === account) this.#byName.set(keyOf(account.name), account)
    return holder === account
  }
}
