import { Buffer } from 'node:buffer'
import type { RandomSource } from '../../../core/protocol/random.ts'
import { makeRepeatableAuthority } from '../../../phones/authenticator/attestation/attestation-authority.ts'
import { makeCredential } from '../../../phones/authenticator/make-credential.ts'
import { type AttestationKind, MODELS } from '../../../phones/authenticator/models.ts'
import type { Finding } from '../case.ts'
import { CannotGoOn, type KeptExchange, send } from '../exchange.ts'
import type { Policy, WebauthnCase, WebauthnWorld } from './cases.ts'
import { openBrowser, originOf, type WebauthnTarget } from './server.ts'

export type WebauthnResult = {
  readonly case: WebauthnCase
  readonly finding: Finding
  readonly exchanges: readonly KeptExchange[]
  readonly tookMs: number
}

export type WebauthnOptions = {
  readonly target: WebauthnTarget
  readonly cases: readonly WebauthnCase[]
  readonly policies: ReadonlySet<Policy>
  readonly random: RandomSource
  readonly now: () => number
  readonly parallel: number
  readonly signal: AbortSignal
  readonly onResult: (result: WebauthnResult) => void
}

/** After this many calls in a row without an answer, the check stops waiting. */
const MOST_SILENT = 5

export const checkWebauthn = async (options: WebauthnOptions): Promise<readonly WebauthnResult[]> => {
  const { target, cases, policies, random, now, parallel, signal, onResult } = options
  let silent = 0
  const patiently: typeof send = async (origin, request, how) => {
    if (silent >= MOST_SILENT) return { request, problem: 'timed out', tookMs: 0 }
    const exchange = await send(origin, request, how)
    silent = exchange.response === undefined ? silent + 1 : 0
    return exchange
  }
  const attestationKeys = makeRepeatableAuthority({ random, now: now() })
  const run = Buffer.from(random.bytes(4)).toString('hex')
  let users = 0
  const user = () => {
    const name = `handset-${run}-${++users}`
    return { name, displayName: name }
  }
  const tried = new Map<AttestationKind, Promise<boolean>>()
  const worldOf = (exchanges: KeptExchange[]): WebauthnWorld => ({
    ...{ target, random, now, attestationKeys, user },
    browser: () => openBrowser({ target, send: patiently, now, exchanges }),
    takes: (kind) => {
      const known = tried.get(kind) ?? isTaken(worldOf([]), kind)
      tried.set(kind, known)
      return known
    },
  })
  const play = async (each: WebauthnCase): Promise<WebauthnResult> => {
    const from = performance.now()
    const exchanges: KeptExchange[] = []
    const end = (finding: Finding): WebauthnResult => ({
      case: each,
      finding,
      exchanges,
      tookMs: performance.now() - from,
    })
    if (each.policy !== undefined && !policies.has(each.policy))
      return end({ verdict: 'skipped', text: `only with --policy ${each.policy}: WebAuthn leaves it to the server` })
    if (silent >= MOST_SILENT) return end({ verdict: 'skipped', text: 'the server no longer answers' })
    try {
      return end(await each.run(worldOf(exchanges)))
    } catch (reason) {
      if (reason instanceof CannotGoOn) return end({ verdict: 'vacuous', text: reason.message })
      // A bug in the case, revealed by a strange answer: the other cases keep their verdicts.
      return end({ verdict: 'vacuous', text: `the case broke off: ${String(reason)}` })
    }
  }
  const left = [...cases]
  const results = new Map<WebauthnCase, WebauthnResult>()
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !signal.aborted; next = left.shift()) {
      const result = await play(next)
      results.set(next, result)
      onResult(result)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return cases.flatMap((each) => results.get(each) ?? [])
}

/** Tries an honest registration, which a server refuses if it trusts only certain makers. */
const isTaken = async (world: WebauthnWorld, kind: AttestationKind): Promise<boolean> => {
  const model = Object.values(MODELS).find(({ attestation }) => attestation === kind)
  if (model === undefined) return false
  const browser = world.browser()
  const options = await browser.askRegistration(world.user())
  const request = { options, origin: originOf(world.target), model, storage: model.storage, userVerified: true }
  const made = await makeCredential({ ...request, existing: { forRp: () => [] } }, world)
  return made.ok && (await browser.register(made.value.response)).accepted
}
