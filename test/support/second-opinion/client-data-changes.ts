import { concat, utf8 } from '../../../src-main/protocol/bytes.ts'
import { CHALLENGE, ORIGIN } from '../ceremony/registration.ts'
import { damageBytes } from './damage.ts'
import type { Dice } from './dice.ts'

type Members = Readonly<Record<string, unknown>>

/** Client data with one thing changed, as the octets that are signed. */
export const changeClientData = (good: Members, dice: Dice): Uint8Array<ArrayBuffer> => {
  const json = (members: unknown): Uint8Array<ArrayBuffer> => utf8(JSON.stringify(members))
  const odd = () =>
    dice.pick<unknown>([undefined, null, true, 0, '', [], {}, 'x', ['webauthn.get'], { status: 'present' }])
  const text = JSON.stringify(good)
  return dice.pick<() => Uint8Array<ArrayBuffer>>([
    () => json({ ...good, type: dice.pick(['webauthn.get', 'webauthn.create', 'payment.get', odd()]) }),
    () =>
      json({ ...good, challenge: dice.pick([`${CHALLENGE}=`, CHALLENGE.slice(1), CHALLENGE.toLowerCase(), odd()]) }),
    () => json({ ...good, challenge: CHALLENGE.replaceAll('-', '+').replaceAll('_', '/') }),
    () =>
      json({ ...good, origin: dice.pick([`${ORIGIN}/`, ORIGIN.toUpperCase(), 'null', 'https://localhost', odd()]) }),
    () => json({ ...good, crossOrigin: dice.pick([true, 'true', 1, odd()]) }),
    () => json({ ...good, topOrigin: dice.pick([ORIGIN, 'https://a.example', odd()]) }),
    () => json({ ...good, crossOrigin: true, topOrigin: dice.pick([ORIGIN, 'https://a.example', odd()]) }),
    () =>
      json({
        ...good,
        tokenBinding: dice.pick([
          { status: 'present', id: 'AA' },
          { status: 'supported' },
          { status: 'not-supported' },
          { status: 'notSupported' },
          odd(),
        ]),
      }),
    () => json({ ...good, extra: odd() }),
    () => json([good]),
    () => utf8(JSON.stringify(good, null, 2)),
    () => utf8(text.replace('{', '{"type":"webauthn.get",')),
    () => utf8(text.replace(/}$/, ',"origin":"https://evil.example"}')),
    () => utf8(text.replace('"type"', '"t\\u0079pe"')),
    () => concat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(text)),
    () => concat(utf8(text.slice(0, -1)), utf8(',"x":"'), Uint8Array.of(0xff), utf8('"}')),
    () => concat(utf8(text), Uint8Array.of(0)),
    () => damageBytes(utf8(text), dice),
  ])()
}
