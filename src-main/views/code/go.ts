import { type Call, encodedTarget, headComments, ifSigned, signerParts } from './call.ts'
import { DEVICE_TOKEN, SECRET_KEY } from './languages.ts'
import { goText as text } from './literals.ts'

const SIGNER = [/^type Key struct/, /^var \(\n\taddress/, /func Sign\(/, /func encode\(/, /^func hash\(/]
const SIGNER_IMPORTS = ['crypto/hmac', 'crypto/sha256', 'encoding/hex', 'regexp', 'sort', 'strconv', 'time']

const SHORT_FORM = [
  '\t// The short form names no key.',
  '\t_, names, _ := strings.Cut(authorization, ",")',
  '\tauthorization = "SVC-HMAC-SHA256 " + names',
]

export const goCode = (call: Call, signer: string): string => {
  const { method, scheme, host, headers, body, hasToken } = call
  const pairs = (list: Call['headers']): string =>
    `[][2]string{${list.map(([name, value]) => `{${text(name)}, ${text(value)}}`).join(', ')}}`
  const imports = ['fmt', 'io', 'net/http', 'os', 'strings', ...ifSigned(call, () => SIGNER_IMPORTS)].sort()
  return [
    ...headComments(call, '//', 'go run call.go'),
    'package main',
    '',
    'import (',
    ...imports.map((name) => `\t"${name}"`),
    ')',
    '',
    ...ifSigned(call, () => [signerParts(signer, SIGNER), '']),
    'func main() {',
    `\tmethod, url := ${text(method)}, ${text(`${scheme}://${host}${encodedTarget(call.target)}`)}`,
    `\tbody := ${text(body)}`,
    '\trequest, err := http.NewRequest(method, url, strings.NewReader(body))',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    `\tfor _, header := range ${pairs(headers)} {`,
    '\t\trequest.Header.Add(header[0], header[1])',
    '\t}',
    ...(hasToken ? [`\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("${DEVICE_TOKEN}"))`] : []),
    ...ifSigned(call, ({ accessKeyId, identifier, isShort, signedHeaders }) => [
      `\tkey := Key{${text(accessKeyId)}, os.Getenv("${SECRET_KEY}"), ${text(identifier)}}`,
      `\tdate, authorization := Sign(method, url, []byte(body), ${pairs(signedHeaders)}, key, "")`,
      ...(isShort ? SHORT_FORM : []),
      '\trequest.Header.Set("X-Svc-Date", date)',
      '\trequest.Header.Set("Authorization", authorization)',
    ]),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer response.Body.Close()',
    '\tfmt.Fprintln(os.Stderr, "HTTP", response.StatusCode)',
    '\tio.Copy(os.Stdout, response.Body)',
    '}',
    '',
  ].join('\n')
}
