import { toBase64url } from '../../core/protocol/bytes.ts'
import { err, ok } from '../../core/protocol/result.ts'
import { type ActionAt, actionsOf } from './armed-faults.ts'
import type { Bind, OpenInput } from './attempt-steps.ts'
import type { BoundMessage } from './bound-message.ts'
import { withOtherDevice } from './faulty-answer.ts'
import type { PhoneCore } from './phone-core.ts'
import type { StruckFault } from './phone-record.ts'
import { refusePhone } from './phone-refusal.ts'

type Context = { readonly core: PhoneCore; readonly input: OpenInput }

const MADE_UP_SECONDS = 180

/** A guess by an app that skipped the call: any RP that it has a credential for. */
const makeUp = ({ core, input: { kind } }: Context): BoundMessage => {
  const rpId = core.keyring.list().at(-1)?.rp_id ?? 'localhost'
  const random = core.random('fault')
  const challenge = toBase64url(random.bytes(32))
  const name = core.record().account.name
  const common = {
    rp: { id: rpId, name: rpId, origins: [`https://${rpId}`] },
    user: { username: name, display_name: name },
    credential_name: '',
    expires_at: Math.floor(core.ports.clock.now() / 1000) + MADE_UP_SECONDS,
  }
  if (kind === 'authentication') {
    return { ...common, kind, public_key: { kind, options: { challenge, rpId, userVerification: 'preferred' } } }
  }
  const user = { id: toBase64url(random.bytes(32)), name, displayName: name }
  const options = { challenge, rp: { id: rpId, name: rpId }, user, pubKeyCredParams: [] }
  return { ...common, kind, public_key: { kind, options } }
}

/** It only takes time. */
type Hold = 'bind-after-expiry'

const BENDS: Readonly<Record<Exclude<ActionAt<'scan'>, Hold>, (context: Context) => (next: Bind) => Bind>> = {
  'stop-after-scan': () => (next) => async () => {
    const bound = await next()
    return bound.ok ? err(refusePhone('app_killed')) : bound
  },
  'bind-twice': () => (next) => async () => {
    await next()
    return next()
  },
  'bind-from-other-phone':
    ({ core, input }) =>
    (next) =>
    async () => {
      const bound = await next()
      const path = `/messages/${input.msgId}/bind`
      const other = await withOtherDevice(core, (token) => core.call({ method: 'POST', path, body: {}, token }))
      if (!other.ok) core.tell('problem', undefined, { word: other.error.word })
      return bound
    },
  'skip-bind': (context) => () => async () => ok(makeUp(context)),
}

const isBend = (action: string): action is keyof typeof BENDS => Object.hasOwn(BENDS, action)

export const bindBendsOf = (
  core: PhoneCore,
  input: OpenInput,
  struck: readonly StruckFault[],
): readonly ((next: Bind) => Bind)[] =>
  actionsOf(struck).flatMap(({ action }) => (isBend(action) ? BENDS[action]({ core, input }) : []))

// Longer than messages usually live, shorter than the service remembers them.
const USUAL_LIFE_MS = 200_000

/** A scan that waits for the expiry before it binds: how long, or undefined. */
export const bindDelay = (
  struck: readonly StruckFault[],
  { expiresAt, now }: { readonly expiresAt: number | undefined; readonly now: number },
): number | undefined => {
  const hold: Hold = 'bind-after-expiry'
  const late = actionsOf(struck).find(({ action }) => action === hold)
  if (late === undefined) return undefined
  const { delay_ms: given } = late.parameters
  return given ?? (expiresAt === undefined ? USUAL_LIFE_MS : (expiresAt + 1) * 1000 - now)
}
