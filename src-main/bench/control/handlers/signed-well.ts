import { parseAuthorization } from '../../../core/protocol/authorization.ts'
import { headerOf } from '../../../http/message.ts'
import type { ControlParts } from '../control-parts.ts'
import type { Exchange } from './exchange-of.ts'

/** A client may have been given another secret since. */
const RECENT_MS = 10 * 60_000

/**
 * The exchange before this one in which the same client signed well, with the key that this one names and the secret that
 * the key still has. Then the body is more likely changed than the secret another.
 */
export const signedWell = async (
  { recorder, admin }: Pick<ControlParts, 'recorder' | 'admin'>,
  workspace: string,
  event: Exchange,
): Promise<number | undefined> => {
  const { request, resent } = event
  const authorization = parseAuthorization(headerOf(request.headers, 'authorization') ?? '')
  if (!authorization.ok || authorization.value.form !== 'general' || request.body_bytes === 0) return undefined
  if (resent !== undefined && !KEEPS_SECRET.has(resent.signing)) return undefined
  const { accessKeyId } = authorization.value
  const [good] = recorder.read(workspace, {
    ...{ limit: 1, latest: true, kinds: ['exchange'], mentions: [accessKeyId] },
    matches: (other) =>
      other.kind === 'exchange' &&
      other.seq < event.seq &&
      other.wall > event.wall - RECENT_MS &&
      // Only an accepted signature has it.
      other.scope !== undefined &&
      other.access_key_id === accessKeyId &&
      (resent === undefined ? isSameClient(other, event) : other.seq === resent.from),
  }).events
  if (good?.kind !== 'exchange') return undefined
  const { method, target, headers, body } = good.request
  const again = await admin.signatures.explain(workspace, { method, target, headers, body })
  return again.ok && again.value.outcome === 'holds' ? good.seq : undefined
}

/** Of what is sent again: not signed with another secret on purpose. */
const KEEPS_SECRET: ReadonlySet<string> = new Set(['kept', 'before_edits'])

/** The RP simulator signs with the same key as the RP's own server, and proves nothing for that. */
const isSameClient = (one: Exchange, other: Exchange): boolean =>
  one.resent === undefined &&
  (one.asked_by === undefined) === (other.asked_by === undefined) &&
  headerOf(one.request.headers, 'user-agent') === headerOf(other.request.headers, 'user-agent')
