import { shellWord } from '../protocol/shell-word.ts'
import type { Call, Signing } from './call.ts'

/** For a shell. An RP's request needs bash and openssl besides: the signer is in it, and nothing of Handset is needed. */
export const curlCode = ({ notes, ...call }: Call, signer: string): string =>
  [
    ...(call.signing === undefined ? [] : ['# SECRET_KEY=… bash call.sh']),
    ...notes.map((note) => `# ${note}`),
    call.signing === undefined ? curlLine(call, shellWord(urlOf(call))) : signed(call, call.signing, signer),
  ].join('\n')

type Plain = Omit<Call, 'notes'>

const urlOf = ({ scheme, host, target }: Plain): string => `${scheme}://${host}${target}`

const curlLine = ({ method, headers, body, hasToken, signing }: Plain, url: string): string => {
  const how = method === 'HEAD' ? '-I' : `-X ${method}`
  return [
    // Without -g, [ ] and { } of an address stand for several addresses.
    `curl -sS -g --path-as-is ${how} ${url}`,
    ...(hasToken ? ['-H "Authorization: Bearer $DEVICE_TOKEN"'] : []),
    ...(signing === undefined ? [] : ['-H @-']),
    // An empty value needs a semicolon, or curl leaves the header out.
    ...headers.map(([name, value]) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${signing === undefined ? shellWord(body) : '"$body"'}`]),
  ].join(' \\\n  ')
}

/** Where the signer begins to sign; what comes before tries it out. */
const SIGNS = /^method=\$\{1\^\^\}/m

const signed = (call: Plain, { accessKeyId, identifier, isShort, signedHeaders }: Signing, signer: string): string => {
  const begin = signer.search(SIGNS)
  if (begin < 0) throw new Error(`the signer has nothing like ${SIGNS}`)
  const words = [call.method, '"$url"', ...signedHeaders.map(([name, value]) => shellWord(`${name}: ${value}`))]
  return [
    'set -euo pipefail',
    `export LC_ALL=C ACCESS_KEY_ID=${shellWord(accessKeyId)} SCOPE_IDENTIFIER=${shellWord(identifier)}`,
    '',
    '# Prints the two headers that the request needs.',
    'sign() (',
    signer.slice(begin).trimEnd(),
    ')',
    '',
    `url=${shellWord(urlOf(call))}`,
    `body=${shellWord(call.body)}`,
    `printf %s "$body" | sign ${words.join(' ')} |`,
    // The short form names no key.
    ...(isShort ? ["  sed '/^Authorization/s/ [^ ,]*,/ /' |"] : []),
    `  ${curlLine(call, '"$url"')}`,
    '',
  ].join('\n')
}
