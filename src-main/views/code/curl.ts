import { curlBody, curlCommand, isPrintable, printfCommand, shellWord } from '../../core/protocol/shell-word.ts'
import { type Call, headComments, type Signing } from './call.ts'
import { DEVICE_TOKEN } from './languages.ts'

/** An RP's request also needs bash and openssl, because the code contains the signer. */
export const curlCode = (call: Call, signer: string): string =>
  [
    ...headComments(call, '#', call.signing && 'bash call.sh'),
    call.signing === undefined ? plain(call) : signed(call, call.signing, signer),
  ].join('\n')

/** Encodes `#`, because curl would drop the text after it. */
const urlOf = ({ scheme, host, target }: Call): string => `${scheme}://${host}${target.replaceAll('#', '%23')}`

const plain = (call: Call): string => {
  const { before, data } = curlBody(call.body)
  const more = call.hasToken ? [`-H "Authorization: Bearer $${DEVICE_TOKEN}"`] : []
  return before + curlCommand({ ...call, url: shellWord(urlOf(call)), more, data })
}

/** The start of the signing code in the signer; the part above it is a demonstration. */
const SIGNS = /^method=\$\{1\^\^\}/m

const signed = (call: Call, { accessKeyId, identifier, isShort, signedHeaders }: Signing, signer: string): string => {
  const begin = signer.search(SIGNS)
  if (begin < 0) throw new Error(`the signer has nothing like ${SIGNS}`)
  const headers = signedHeaders.map(([name, value]) => shellWord(`${name}: ${value}`))
  const words = [shellWord(call.method), '"$url"', ...headers]
  const isText = isPrintable(call.body)
  const data = call.body === '' ? [] : [isText ? '--data-raw "$body"' : '--data-binary @<(body)']
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
    isText ? `body=${shellWord(call.body)}` : `body() { ${printfCommand(call.body)}; }`,
    `${isText ? 'printf %s "$body"' : 'body'} | sign ${words.join(' ')} |`,
    // The short form contains no access key ID.
    ...(isShort ? ["  sed '/^Authorization/s/SHA256 [^,]*,/SHA256 /' |"] : []),
    `  ${curlCommand({ ...call, url: '"$url"', more: ['-H @-'], data })}`,
    '',
  ].join('\n')
}
