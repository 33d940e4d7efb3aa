// node sign.mjs METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv, env } from 'node:process'

const sha256 = (data) => createHash('sha256').update(data).digest('hex')

// Octet by octet: decodeURIComponent refuses what is not UTF-8, encodeURIComponent leaves !'()* as they are.
const encode = (text) =>
  text.replace(/%[0-9a-f]{2}|[^A-Za-z0-9._~-]/gi, (part) => {
    const octet = part.length === 3 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0)
    const char = String.fromCharCode(octet)
    return /[A-Za-z0-9._~-]/.test(char) ? char : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`
  })

const order = ([a, b], [c, d]) => (a < c ? -1 : a > c ? 1 : b < d ? -1 : b > d ? 1 : 0)

export const sign = (method, url, { body = '', headers = [], accessKeyId, secretKey, identifier = '', date }) => {
  const time = date ?? new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const [, host, path, query = ''] = /^https?:\/\/([^/?]+)([^?]*)(?:\?(.*))?$/.exec(url)
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name, ...value] = pair.split('=')
      return [encode(name), encode(value.join('='))]
    })
    .sort(order)
  const signed = new Map()
  for (const [name, value] of [['host', host], ['x-svc-date', time], ...headers]) {
    const trimmed = value.replace(/ +/g, ' ').replace(/^ | $/g, '')
    const before = signed.get(name.toLowerCase())
    signed.set(name.toLowerCase(), before === undefined ? trimmed : `${before},${trimmed}`)
  }
  const names = [...signed.keys()].sort()
  const lines = names.map((name) => `${name}:${signed.get(name)}\n`).join('')
  const sorted = pairs.map((pair) => pair.join('=')).join('&')
  const canonical = [method.toUpperCase(), path || '/', sorted, lines, names.join(';'), sha256(body)].join('\n')
  const scope = `fido-server/${identifier}`
  const toSign = ['SVC-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signature = createHmac('sha256', secretKey).update(toSign).digest('hex')
  return {
    'X-Svc-Date': time,
    Authorization: `SVC-HMAC-SHA256 ${accessKeyId}/${scope},${names.join(';')},${signature}`,
  }
}

if (import.meta.filename === argv[1]) {
  const [method, url, ...more] = argv.slice(2)
  const headers = sign(method, url, {
    body: readFileSync(0),
    headers: more.map((text) => /^([^:]*):(.*)$/.exec(text).slice(1)),
    accessKeyId: env.ACCESS_KEY_ID,
    secretKey: env.SECRET_KEY,
    identifier: env.SCOPE_IDENTIFIER,
    date: env.SVC_DATE,
  })
  for (const [name, value] of Object.entries(headers)) console.log(`${name}: ${value}`)
}
