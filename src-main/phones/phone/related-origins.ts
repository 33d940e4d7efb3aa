import { request } from 'node:http'
import { getPublicSuffix as registrableDomain } from 'tough-cookie'
import { fromUtf8 } from '../../core/protocol/bytes.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { readBounded } from '../../core/protocol/read-bounded.ts'

const MAX_BYTES = 256 * 1024
const PATIENCE_MS = 5_000

// WebAuthn §5.11: a client supports at least five labels; the browsers stop there.
const MAX_LABELS = 5

type Wanted = {
  /** An http address of this machine, used in place of `https://RPID`. */
  readonly source: string
  readonly rpId: string
  readonly origin: string
}

/** WebAuthn §5.11.1. No redirect is followed: it could lead off this machine. */
export const isRelatedOrigin = async ({ source, rpId, origin }: Wanted): Promise<boolean> => {
  const value = parseJsonOrNothing((await readList(source, rpId)) ?? '')
  const origins = isObject(value) ? value.origins : undefined
  return Array.isArray(origins) && listsOrigin(origins, origin)
}

const listsOrigin = (origins: readonly unknown[], origin: string): boolean => {
  const labels = new Set<string>()
  for (const each of origins) {
    const url = typeof each === 'string' ? URL.parse(each) : null
    const [label] = registrableDomain(url?.hostname ?? '', { ignoreError: true })?.split('.') ?? []
    if (url === null || label === undefined) continue
    if (labels.size >= MAX_LABELS && !labels.has(label)) continue
    if (url.origin === origin) return true
    labels.add(label)
  }
  return false
}

const readList = (source: string, rpId: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const fail = (): void => resolve(undefined)
    const asking = request(new URL('/.well-known/webauthn', source), {
      headers: { host: rpId, accept: 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
      agent: false,
    })
    asking.on('error', fail)
    asking.on('response', (answer) => {
      const isJson = /^application\/json *(;|$)/i.test(answer.headers['content-type'] ?? '')
      if (answer.statusCode !== 200 || !isJson) {
        answer.destroy()
        return fail()
      }
      readBounded(answer, MAX_BYTES).then((bytes) => resolve(bytes && fromUtf8(bytes)), fail)
    })
    asking.end()
  })
