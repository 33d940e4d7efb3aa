import type { Dice } from './dice.ts'

type Json = Readonly<Record<string, unknown>>

/** The JSON around a good ceremony with one thing changed; nothing of it is signed. */
export const changeResponse = (good: Json & { readonly response: Json }, dice: Dice): unknown => {
  const odd = () => dice.pick<unknown>([undefined, null, 0, '', 'AAAA', 'A', [], {}, true])
  const within = (changes: Json) => ({ ...good, response: { ...good.response, ...changes } })
  const member = dice.pick(Object.keys(good.response))
  const text = String(good.response[member])
  return dice.pick<() => unknown>([
    () => odd(),
    () => [good],
    () => ({ ...good, id: odd() }),
    () => ({ ...good, rawId: odd() }),
    () => ({ ...good, id: 'AAAA', rawId: 'AAAA' }),
    () => ({ ...good, id: `${good.id}=`, rawId: `${good.id}=` }),
    () => ({ ...good, type: odd() }),
    () => ({ ...good, response: odd() }),
    () => ({ ...good, clientExtensionResults: odd() }),
    () => ({ ...good, authenticatorAttachment: odd() }),
    () => ({ ...good, extra: odd() }),
    () => within({ [member]: odd() }),
    () => within({ [member]: undefined }),
    () => within({ [member]: `${text}=` }),
    () => within({ [member]: ` ${text}` }),
    () => within({ [member]: `${text}\n` }),
    () => within({ [member]: text.replaceAll('-', '+').replaceAll('_', '/') }),
    () => within({ [member]: `${text}A` }),
    () => within({ [member]: text.slice(0, -1) }),
    () => within({ userHandle: dice.pick(['dXNlci0y', 'dXNlci0x', odd()]) }),
    () => within({ transports: dice.pick([['internal', 'future'], [1], 'usb', odd()]) }),
    () => within({ publicKeyAlgorithm: dice.pick([-7, -8, -257, odd()]) }),
  ])()
}
