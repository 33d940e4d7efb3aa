import { setTimeout as pause } from 'node:timers/promises'
import { refuse } from '../core/contract/errors.ts'
import { utf8 } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { makeId } from '../core/protocol/ids.ts'
import {
  createEarlyRefusal,
  type RequestHandlerOptions,
  refusalIfAbsent,
  refusalOfThrown,
  refuseAt,
  splitTarget,
} from './answer-request.ts'
import { type Mount, nowMicros, type RawRequest, type RawResponse } from './message.ts'

type Wanted = Omit<RequestHandlerOptions, 'mounts'> & { readonly mount: Mount }

export type MountCall = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly gone: AbortSignal
}

/** A bench that is being closed waits at most this long for calls. */
const LONGEST_MS = 1000

/**
 * Calls a mount from its own process, with the same bytes as over a socket. The server's protection from the network,
 * such as limits, is left out, since the caller is trusted.
 */
export const createMountCalls = ({ mount, workspaceExists, random, log }: Wanted) => {
  const underWay = new Set<Promise<RawResponse>>()
  const turnAway = createEarlyRefusal({ random, log })

  const answer = async ({ url, method, headers, body = '', gone }: MountCall): Promise<RawResponse> => {
    const arrived = nowMicros()
    const split = splitTarget(url)
    if (split?.authority === undefined) return turnAway(refuse('no_route'), { method, arrived })
    const { workspace, target, path, query, authority } = split
    const absent = await refusalIfAbsent(workspaceExists(workspace))
    if (absent !== undefined) return turnAway(absent, { method, arrived })
    const request: RawRequest = {
      id: makeId('request', random.stream(workspace, mount.prefix, 'request')),
      arrived,
      ...{ workspace, method, target, query, gone, body: utf8(body) },
      path: path.slice(mount.prefix.length),
      headers: [['Host', authority], ...Object.entries(headers)] satisfies readonly HeaderPair[],
    }
    try {
      return await mount.answer(request)
    } catch (reason) {
      return refuseAt(mount, { request, refusal: refusalOfThrown(reason, request, log), log })
    }
  }

  return {
    call: (call: MountCall): Promise<RawResponse> => {
      const answering = answer(call).finally(() => underWay.delete(answering))
      underWay.add(answering)
      return answering
    },
    /** Resolves when all calls are answered, including those of callers that gave up, or after LONGEST_MS. */
    settled: (): Promise<unknown> =>
      Promise.race([Promise.allSettled(underWay), pause(LONGEST_MS, undefined, { ref: false })]),
  }
}
