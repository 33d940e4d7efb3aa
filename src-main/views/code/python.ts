import { type Call, encodedTarget, headComments, ifSigned, signerParts } from './call.ts'
import { DEVICE_TOKEN, SECRET_KEY } from './languages.ts'
import { pythonText as text } from './literals.ts'

const SHORT_FORM = [
  '# The short form names no key.',
  'signed["Authorization"] = re.sub(" [^,]*,", " ", signed["Authorization"], count=1)',
]

export const pythonCode = (call: Call, signer: string): string => {
  const { method, scheme, host, headers, body, signing, hasToken } = call
  const pairs = (list: Call['headers']): string =>
    `[${list.map(([name, value]) => `(${text(name)}, ${text(value)})`).join(', ')}]`
  const modules =
    signing === undefined ? (hasToken ? ['os', 'sys'] : ['sys']) : ['hashlib', 'hmac', 'os', 're', 'sys', 'time']
  return [
    ...headComments(call, '#', 'python3 call.py'),
    `import ${modules.join(', ')}`,
    'from http import client',
    ...ifSigned(call, () => ['from urllib.parse import quote, unquote_to_bytes']),
    '',
    ...ifSigned(call, () => [
      '',
      signerParts(signer, [/^\n*def sign\(/, /^\n*def sha256\(/]).replace('\n\ndef sha256', '\n\n\ndef sha256'),
      '',
      '',
    ]),
    `method, host, path = ${text(method)}, ${text(host)}, ${text(encodedTarget(call.target))}`,
    `body = ${text(body)}.encode()`,
    `headers = ${pairs(headers)}`,
    ...(hasToken ? [`headers.append(("Authorization", "Bearer " + os.environ["${DEVICE_TOKEN}"]))`] : []),
    ...ifSigned(call, ({ accessKeyId, identifier, isShort, signedHeaders }) => [
      'signed = sign(',
      `    method, "${scheme}://" + host + path, body, ${pairs(signedHeaders)},`,
      `    access_key_id=${text(accessKeyId)}, secret_key=os.environ["${SECRET_KEY}"], identifier=${text(identifier)},`,
      ')',
      ...(isShort ? SHORT_FORM : []),
      'headers += signed.items()',
    ]),
    '',
    `connection = client.HTTP${scheme === 'https' ? 'S' : ''}Connection(host)`,
    'connection.putrequest(method, path, skip_accept_encoding=True)',
    'for name, value in headers + ([("Content-Length", str(len(body)))] if body else []):',
    '    connection.putheader(name, value.encode("utf-8", "surrogateescape"))',
    'connection.endheaders(body or None)',
    'response = connection.getresponse()',
    'print("HTTP", response.status, file=sys.stderr)',
    'sys.stdout.buffer.write(response.read())',
    '',
  ].join('\n')
}
