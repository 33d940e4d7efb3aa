import type { eventRoutes } from '../../../core/contract/control/event-routes.ts'
import { errors, refuse } from '../../../core/contract/errors.ts'
import type { ValueOf } from '../../../core/contract/schema.ts'
import { en } from '../../../core/messages/en/en.ts'
import type { HeaderPair } from '../../../core/protocol/canonical-request.ts'
import { err, ok } from '../../../core/protocol/result.ts'
import { headerOf } from '../../../http/message.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Answer } from '../handler.ts'
import { exchangeOf } from './exchange-of.ts'
import { signedWell } from './signed-well.ts'

type Explanation = ValueOf<(typeof eventRoutes)['events.signature']['data']>

/** Why the signature of the request with this number did not match. */
export const explainExchange = async (parts: ControlParts, workspace: string, seq: number): Answer<Explanation> => {
  const { recorder, relyingParties, admin } = parts
  const found = exchangeOf({ recorder }, workspace, seq)
  if (!found.ok) return found
  const event = found.value
  if (event.response.code !== errors.signature_mismatch.code) {
    return err(refuse('wrong_state', { code: 'signature_not_refused', params: { code: event.response.code } }))
  }
  const { method, target, headers, body, body_bytes } = event.request
  const signed = relyingParties.signedAs(workspace, signatureIn(headers))
  const payloadHash = Buffer.byteLength(body) === body_bytes ? undefined : toldHash(event.response.body)
  const explained = await admin.signatures.explain(workspace, {
    ...{ method, target, headers, body },
    ...(signed === undefined ? {} : { signed }),
    ...(payloadHash === undefined ? {} : { payloadHash }),
  })
  if (!explained.ok) return explained
  const mistakes = explained.value.mistakes.map((named) => ({ ...named, sentence: en.signingMistakes[named.id] }))
  const { outcome, difference } = explained.value
  const isOpen = outcome === 'unexplained' && difference === undefined
  const well = isOpen ? await signedWell(parts, workspace, event) : undefined
  return ok({ ...explained.value, mistakes, ...(well === undefined ? {} : { signed_well: well }) })
}

const signatureIn = (headers: readonly HeaderPair[]): string => headerOf(headers, 'authorization')?.slice(-64) ?? ''

/** A body that is no text is recorded as what is readable of it; its hash stands in the service's answer. */
const toldHash = (answer: string): string | undefined => {
  try {
    const canonical: unknown = JSON.parse(answer)?.data?.canonical_request
    return typeof canonical === 'string' ? canonical.slice(canonical.lastIndexOf('\n') + 1) : undefined
  } catch {
    return undefined
  }
}
