// node sign.mjs   registers alice with a phone, and signs her in.
// node sign.mjs METHOD URL [NAME:VALUE]... < body   prints the two headers that the request needs.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { argv, env, exit } from 'node:process'

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

const end = (why) => {
  console.error(why)
  exit(1)
}

// One signed request. What the service refuses ends the program.
const call = async (method, path, wanted) => {
  const url = env.BASE_URL + path
  const body = wanted === undefined ? '' : JSON.stringify(wanted)
  const signed = sign(method, url, { body, accessKeyId: env.ACCESS_KEY_ID, secretKey: env.SECRET_KEY })
  const headers = { ...signed, 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method, headers, redirect: 'error', ...(body === '' ? {} : { body }) })
  const { code, data, error } = await answer.json()
  return code === 0 ? data : end(`${code} ${error} (${method} ${path})`)
}

// Shows a code, and waits for what becomes of it.
const ceremony = async (kind, request) => {
  const { url } = await call('POST', `/rp/${kind}/options`, request)
  console.log(`Scan with a phone: ${url}`)
  let result
  do {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    result = await call('GET', `/rp/${kind}/result?msg_id=${url.split('#')[1].slice(1)}`)
  } while (['init', 'bind'].includes(result.status))
  return result.status === 'success' ? result : end(`${result.status} ${result.error}`)
}

const firstSignIn = async () => {
  if (env.BASE_URL === undefined) end('Set BASE_URL, ACCESS_KEY_ID and SECRET_KEY first.')
  const user = { user_id: 'alice', username: 'alice' }
  if ((await call('GET', '/rp/credentials?user_id=alice')).total === 0) {
    await ceremony('attestation', user)
    console.log('Registered.')
  }
  const result = await ceremony('assertion', { ...user, method: 'qrcode' })
  if (result.user_id !== 'alice') end('The answer was for somebody else.')
  console.log('Signed in: alice')
}

if (import.meta.filename === argv[1] && argv.length === 2) await firstSignIn()
else if (import.meta.filename === argv[1]) {
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
