import type { BenchEvent } from '../../src-main/contract/events.ts'
import { parseAuthorization } from '../../src-main/protocol/authorization.ts'
import { shellWord } from '../../src-main/protocol/shell-word.ts'

type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

/** Headers that curl makes itself, or that would be wrong in another request. */
const OWN_TO_CURL = new Set(['content-length', 'connection', 'accept-encoding', 'user-agent', 'transfer-encoding'])

/** Those that signing writes. */
const OF_SIGNING = new Set(['host', 'x-svc-date', 'authorization'])

/** The same request for a shell. An RP's is signed anew: its old signature soon holds no more. Masked values stay masked. */
export const curlOf = (exchange: Exchange, scheme = 'http:'): string => {
  const { request } = exchange
  const header = (wanted: string): string | undefined =>
    request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
  const url = `${scheme}//${header('host') ?? 'localhost'}${request.target}`
  const headers = request.headers.filter(([name]) => !OWN_TO_CURL.has(name.toLowerCase()))
  const signed = exchange.interface === 'rp' ? parseAuthorization(header('authorization') ?? '') : undefined
  if (signed?.ok !== true) {
    return [
      `curl -X ${request.method} ${shellWord(url)}`,
      ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
      ...(request.body === '' ? [] : [`--data-binary ${shellWord(request.body)}`]),
    ].join(' \\\n  ')
  }
  const general = signed.value.form === 'general' ? signed.value : undefined
  const identifier = general?.scope.slice('fido-server/'.length)
  return signingLine({
    key: general?.accessKeyId ?? exchange.access_key_id ?? 'ID',
    ...{ method: request.method, url },
    options: [
      ...headers.flatMap(([name, value]) =>
        OF_SIGNING.has(name.toLowerCase()) ? [] : [`--header ${shellWord(`${name}: ${value}`)}`],
      ),
      ...(identifier === undefined || identifier === '' ? [] : [`--scope ${shellWord(identifier)}`]),
      ...(general === undefined ? ['--short'] : []),
      ...(request.body === '' ? [] : [`--body ${shellWord(request.body)}`]),
    ],
  })
}

type Signing = {
  readonly key: string
  readonly method: string
  readonly url: string
  readonly options?: readonly string[]
}

/** Signs a request and sends it. Whoever runs it has the secret key in SECRET_KEY. */
export const signingLine = ({ key, method, url, options = [] }: Signing): string =>
  [
    `HANDSET_ACCESS_KEY="${key}:$SECRET_KEY" npx handset sign ${method} ${shellWord(url)}`,
    ...options,
    '--curl | sh',
  ].join(' \\\n  ')
