import { Buffer } from 'node:buffer'
import type { Policy } from '../../../core/contract/webauthn-server.ts'
import { makeRepeatableAuthority } from '../../../phones/authenticator/attestation/attestation-authority.ts'
import { fillText } from '../../calls/placeholders.ts'
import { type PlayOptions, playCases, type SendRequest } from '../play-cases.ts'
import type { WebauthnCase } from './cases.ts'
import { openBrowser, type WebauthnTarget } from './server.ts'
import { type AttestationTrial, type StatementKind, tryAttestation, type WebauthnWorld } from './virtual-user.ts'

export type WebauthnOptions<C> = PlayOptions<C> & {
  readonly target: WebauthnTarget
  readonly policies: ReadonlySet<Policy>
}

export const checkWebauthn = <C extends WebauthnCase>(options: WebauthnOptions<C>) => {
  const { target, policies, random, now } = options
  const attestationKeys = makeRepeatableAuthority({ random, now: now() })
  const run = Buffer.from(random.bytes(4)).toString('hex')
  let users = 0
  const user: WebauthnWorld['user'] = (octets = 0) => {
    const drawn = `handset-${run}-${++users}`
    const called = (name: string): string => fillText(target.user_id ?? '{name}', { name })
    const name = called(drawn.padEnd(drawn.length + octets - Buffer.byteLength(called(drawn)), 'x'))
    return { name, displayName: name }
  }
  const tried = new Map<StatementKind, Promise<AttestationTrial>>()
  const worldOf = (send: SendRequest): WebauthnWorld => {
    const world: WebauthnWorld = {
      ...{ target, random, now, attestationKeys, user },
      browser: () => openBrowser(target, send),
      attested: (kind) => {
        const known = tried.get(kind) ?? tryAttestation(world, kind)
        tried.set(kind, known)
        return known
      },
    }
    return world
  }
  return playCases({
    ...options,
    missing: ({ policy }) =>
      policy === undefined || policies.has(policy)
        ? undefined
        : `only with --policy ${policy}: WebAuthn leaves it to the server`,
    play: ({ run: play }, send) => play(worldOf(send)),
  })
}
