import { shellWord } from '../protocol/shell-word.ts'
import type { Call } from './call.ts'
import { signingLine } from './signing-line.ts'

/** For a shell. An RP's request is signed by `handset sign`, the signer that the SDK has. */
export const curlCode = ({ notes, ...call }: Call): string =>
  [...notes.map((note) => `# ${note}`), command(call)].join('\n')

type Plain = Omit<Call, 'notes'>

const command = ({ method, scheme, host, target, headers, body, signing, hasToken }: Plain): string => {
  const url = `${scheme}://${host}${target}`
  if (signing === undefined) {
    const how = method === 'HEAD' ? '-I' : `-X ${method}`
    return [
      // Without -g, [ ] and { } of an address stand for several addresses.
      `curl -sS -g --path-as-is ${how} ${shellWord(url)}`,
      ...(hasToken ? ['-H "Authorization: Bearer $DEVICE_TOKEN"'] : []),
      // An empty value needs a semicolon, or curl leaves the header out.
      ...headers.map(([name, value]) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
      ...(body === '' ? [] : [`--data-raw ${shellWord(body)}`]),
    ].join(' \\\n  ')
  }
  return signingLine({
    key: signing.accessKeyId,
    ...{ method, url },
    options: [
      ...headers.map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
      ...(signing.identifier === '' ? [] : [optionWord('scope', signing.identifier)]),
      ...(signing.isShort ? ['--short'] : []),
      ...(body === '' ? [] : [optionWord('body', body)]),
    ],
  })
}

/** What begins with a hyphen would be taken for another option. */
const optionWord = (name: string, value: string): string =>
  value.startsWith('-') ? shellWord(`--${name}=${value}`) : `--${name} ${shellWord(value)}`
