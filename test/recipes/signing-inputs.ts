/** What the vectors of docs/interface/signing/vectors.json sign: one good request each, with one thing that is easily signed wrongly. */
export type SigningInput = {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  readonly access_key_id: string
  readonly secret_key: string
  readonly scope_identifier: string
  readonly x_svc_date: string
}

const BASE = 'http://localhost:7420/fido'
const CREDENTIALS = `${BASE}/rp/credentials`
const RESULT = `${BASE}/rp/assertion/result`

const ordinary: Omit<SigningInput, 'name'> = {
  method: 'GET',
  url: `${CREDENTIALS}?user_id=u-1`,
  headers: [],
  body: '',
  access_key_id: 'shop-key',
  secret_key: 'a secret that is long enough to be one',
  scope_identifier: '',
  x_svc_date: '20300101T120000Z',
}

const post = (body: string): Partial<SigningInput> => ({ method: 'POST', url: `${BASE}/rp/attestation/options`, body })

const inputs: Readonly<Record<string, Partial<SigningInput>>> = {
  'a list of credentials': {},
  'a poll of a result': { url: `${RESULT}?msg_id=msg_0123456789` },
  'a body of JSON': post('{"user_id":"u-1","username":"alice"}'),
  'a body with spaces and an end of line': post('{ "user_id": "u-1",\r\n  "username": "alice" }\n'),
  'a body beyond ASCII': post('{"user_id":"u-1","username":"李伟","display_name":"Zoë 🦦"}'),
  'a body with escapes for the same text': post('{"user_id":"u-1","username":"\\u674e\\u4f1f"}'),
  'a deletion with a body': { method: 'DELETE', url: CREDENTIALS, body: '{"user_id":"u-1","credential_ids":[]}' },
  'no query at all': { url: CREDENTIALS },
  'a question mark and nothing behind it': { url: `${CREDENTIALS}?` },
  'parameters out of order': { url: `${CREDENTIALS}?user_id=u-1&b=2&a=1` },
  'upper case sorts before lower case': { url: `${CREDENTIALS}?b=1&B=2&a=3&A=4` },
  'a name twice, sorted by value': { url: `${CREDENTIALS}?a=2&a=10&a=1&user_id=u-1` },
  'a name that begins like another': { url: `${CREDENTIALS}?a-b=1&a=2&ab=3&a.b=4` },
  'a name without a value': { url: `${CREDENTIALS}?flag&user_id=u-1` },
  'an empty value': { url: `${CREDENTIALS}?user_id=` },
  'a value with an equals sign': { url: `${CREDENTIALS}?user_id=a=b==` },
  'two ampersands in a row': { url: `${CREDENTIALS}?user_id=u-1&&a=1&` },
  'a plus is a plus': { url: `${CREDENTIALS}?user_id=a+b` },
  'a space': { url: `${CREDENTIALS}?user_id=a%20b` },
  'what need not have been encoded': { url: `${CREDENTIALS}?%75ser_id=%61%2D%5f%7E` },
  'hex in lower case': { url: `${CREDENTIALS}?user_id=%e6%9d%8e` },
  'a query beyond ASCII': { url: `${CREDENTIALS}?user_id=%E6%9D%8E%E4%BC%9F&a=%C3%A9` },
  'signs that some encoders leave': { url: `${CREDENTIALS}?user_id=!'()*;:@$,/` },
  'an encoded ampersand and percent sign': { url: `${CREDENTIALS}?user_id=a%26b%3Dc%2525` },
  'octets that are not UTF-8': { url: `${CREDENTIALS}?user_id=u-1&raw=%ff%80%0a` },
  'a second signed header': { headers: [['Content-Type', 'application/json']] },
  'a header that sorts before host': { headers: [['Accept', 'application/json']] },
  'names of headers in any case': {
    headers: [
      ['X-Request-ID', 'abc'],
      ['ACCEPT', '*/*'],
    ],
  },
  'spaces around a value and within': { headers: [['X-Note', '   two   words  ']] },
  'a header twice': {
    headers: [
      ['X-Note', 'second'],
      ['X-Note', 'first'],
    ],
  },
  'an empty header': { headers: [['X-Note', '']] },
  'a header beyond ASCII': { headers: [['X-Note', 'café 中']] },
  'a value with colons and commas': { headers: [['X-Note', 'a:b, c:d']] },
  'the access key as identifier': { scope_identifier: 'shop-key' },
  'a date as identifier': { scope_identifier: '20300101' },
  'a date and more as identifier': { scope_identifier: '20300101/shop' },
  'an identifier beyond ASCII': { scope_identifier: 'café-中' },
  'a secret beyond ASCII': { access_key_id: 'key-2', secret_key: 'naïve-密钥-🔑-is-long-enough' },
  'a secret longer than a block of SHA-256': { access_key_id: 'key-3', secret_key: 'k'.repeat(100) },
  'a secret with what shells and headers mind': { access_key_id: 'key-4', secret_key: '$x/"y" \'z\', `w`; \\n+=%41 !' },
  'an access key with every character': { access_key_id: 'Aa0._~-' },
  'the last second of a year': { x_svc_date: '20291231T235959Z', scope_identifier: '20291231' },
}

export const signingInputs: readonly SigningInput[] = Object.entries(inputs).map(([name, change]) => ({
  name,
  ...ordinary,
  ...change,
}))
