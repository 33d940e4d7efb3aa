import { type Call, encodedTarget, headComments, ifSigned, signerParts } from './call.ts'
import { DEVICE_TOKEN, SECRET_KEY } from './languages.ts'
import { scriptText } from './literals.ts'

const SIGNER = [/^const sha256 =/, /const encode = /, /^const order = /, /^export const sign = /]

/** A value that is not well-formed text is written as octets. */
const valueText = (value: string): string =>
  value.isWellFormed()
    ? scriptText(value)
    : `Buffer.from(${scriptText(value.replace(/[\udc80-\udcff]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) & 0xff)))}, 'latin1')`

const SHORT_FORM = [
  '// The short form names no key.',
  "signed.Authorization = signed.Authorization.replace(/ [^,]*,/, ' ')",
]

export const nodeCode = (call: Call, signer: string): string => {
  const { method, scheme, host, headers, body, signing, hasToken } = call
  const pairs = (list: Call['headers']): string =>
    `[${list.map(([name, value]) => `[${scriptText(name)}, ${valueText(value)}]`).join(', ')}]`
  const url = new URL(`${scheme}://${host}`)
  return [
    ...headComments(call, '//', 'node call.mjs'),
    ...ifSigned(call, () => [`import { createHash, createHmac } from 'node:crypto'`]),
    `import { request } from 'node:${scheme}'`,
    ...(signing === undefined && !hasToken ? [] : [`import { env } from 'node:process'`]),
    '',
    ...ifSigned(call, () => [signerParts(signer, SIGNER).replace('export const sign', 'const sign'), '']),
    `const method = ${scriptText(method)}`,
    `const path = ${scriptText(encodedTarget(call.target))}`,
    `const body = ${scriptText(body)}`,
    `const headers = ${pairs(headers)}`,
    ...(hasToken ? [`headers.push(['Authorization', 'Bearer ' + env.${DEVICE_TOKEN}])`] : []),
    ...ifSigned(call, ({ accessKeyId, identifier, isShort, signedHeaders }) => [
      `const signed = sign(method, ${scriptText(`${scheme}://${host}`)} + path, {`,
      `  body, headers: ${pairs(signedHeaders)},`,
      `  accessKeyId: ${scriptText(accessKeyId)}, secretKey: env.${SECRET_KEY}, identifier: ${scriptText(identifier)},`,
      '})',
      ...(isShort ? SHORT_FORM : []),
      'headers.push(...Object.entries(signed))',
    ]),
    '',
    '// Node sends one octet for each character of a header.',
    "const octets = headers.map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')])",
    `octets.push(['Host', ${scriptText(host)}], ...(body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))]]))`,
    `const sent = request({ host: ${scriptText(url.hostname.replace(/^\[|\]$/g, ''))}, port: ${url.port === '' ? (scheme === 'https' ? 443 : 80) : url.port}, method, path, headers: octets.flat() })`,
    "sent.on('response', async (response) => {",
    "  console.error('HTTP', response.statusCode)",
    '  for await (const part of response) process.stdout.write(part)',
    '})',
    "sent.on('error', (error) => console.error(error.message))",
    '// As text, the headers would be written in its encoding.',
    'sent.end(Buffer.from(body))',
    '',
  ].join('\n')
}
