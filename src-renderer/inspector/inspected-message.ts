import { parseAuthorization } from '../../src-main/core/protocol/authorization.ts'
import type { HeaderPair } from '../../src-main/core/protocol/canonical-request.ts'
import type { Exchange } from './exchange-lines.ts'
import type { InspectedMessage } from './message-view.tsx'

const onTheWire = (first: string, headers: readonly HeaderPair[], body: string): string =>
  `${[first, ...headers.map((header) => header.join(': '))].join('\n')}\n\n${body}`

/** As Inspect reads it; of the access key only the ID is known to the page. */
export const requestInspected = ({ request, access_key_id: used }: Exchange): InspectedMessage => {
  const written = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  const parsed = parseAuthorization(written)
  const accessKeyId = parsed.ok && parsed.value.form === 'general' ? parsed.value.accessKeyId : used
  return {
    text: onTheWire(`${request.method} ${request.target} HTTP/1.1`, request.headers, request.body),
    given: accessKeyId === undefined ? {} : { accessKeyId },
  }
}

export const responseInspected = ({ response }: Exchange): InspectedMessage => ({
  text: onTheWire(`HTTP/1.1 ${response.status}`, response.headers, response.body),
  given: {},
})
