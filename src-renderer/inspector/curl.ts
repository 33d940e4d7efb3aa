import type { BenchEvent } from '../../src-main/contract/events.ts'

type Exchange = Extract<BenchEvent, { kind: 'exchange' }>

/** Headers that curl makes itself, or that would be wrong in another request. */
const OWN_TO_CURL = new Set(['content-length', 'connection', 'accept-encoding', 'user-agent', 'transfer-encoding'])

/** The same request for a shell. Masked values stay masked: who runs it puts the token in. */
export const curlOf = ({ request }: Exchange, scheme = 'http:'): string => {
  const host = request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? 'localhost'
  const headers = request.headers.filter(([name]) => !OWN_TO_CURL.has(name.toLowerCase()))
  return [
    `curl -X ${request.method} ${quote(`${scheme}//${host}${request.target}`)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(request.body === '' ? [] : [`--data-binary ${quote(request.body)}`]),
  ].join(' \\\n  ')
}

const quote = (text: string): string => `'${text.replace(/'/g, `'\\''`)}'`
