/**
 * A page with a CSRF token in a meta tag; options wrapped in `publicKey`, with a ticket that the answer must bring back;
 * credentials by hand, their octets in standard base64. A refusal has HTTP 200.
 */
import { register, registrationOptions, serve, signIn, signInOptions } from './passkeys.mjs'

const page = (csrf, title, other) => `
<meta name="csrf-token" content="${csrf}"><h1>${title}</h1>
<form><label>E-mail <input type="email" name="email"></label> ${title === 'Sign up' ? '<label>Full name <input name="full"></label>' : ''}
<button>Continue</button></form> <a href="${other}">${other === '/' ? 'Sign in' : 'Sign up'}</a> <p id="told"></p>
<script>
const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': document.querySelector('meta').content }
const post = async (path, body) => (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
const octets = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
document.querySelector('form').onsubmit = async (event) => {
  event.preventDefault()
  const [email, full] = new FormData(event.target).values()
  const isNew = full !== undefined
  const { publicKey, ticket } = await post(isNew ? '/accounts' : '/sessions', isNew ? { email, full } : { email })
  publicKey.challenge = octets(publicKey.challenge)
  if (isNew) publicKey.user.id = octets(publicKey.user.id)
  for (const each of publicKey.allowCredentials ?? []) each.id = octets(each.id)
  const { rawId, response } = await navigator.credentials[isNew ? 'create' : 'get']({ publicKey })
  const proof = isNew
    ? { attestation: text(response.attestationObject), client_data: text(response.clientDataJSON) }
    : { auth_data: text(response.authenticatorData), signature: text(response.signature), client_data: text(response.clientDataJSON) }
  const { ok, why } = await post((isNew ? '/accounts/' : '/sessions/') + ticket, { key: text(rawId), proof, at: performance.now() })
  document.querySelector('#told').textContent = ok ? 'Done' : why
}
</script>`

const inUrl = (text) => Buffer.from(text, 'base64').toString('base64url')
const responseOf = ({ key, proof: { attestation, client_data, auth_data, signature } }) => ({
  ...{ id: inUrl(key), rawId: inUrl(key), type: 'public-key', clientExtensionResults: {} },
  response: {
    clientDataJSON: inUrl(client_data),
    ...(attestation === undefined
      ? { authenticatorData: inUrl(auth_data), signature: inUrl(signature) }
      : { attestationObject: inUrl(attestation) }),
  },
})

let tickets = 0
const guarded = (run) => async (body, session, request) => {
  if (request.headers['x-csrf-token'] !== session.csrf) return [403, { ok: false, why: 'token' }]
  try {
    return [200, { ok: true, ...(await run(body, session)) }]
  } catch (error) {
    return [200, { ok: false, why: error.message }]
  }
}

const begun = (options, session) => {
  const ticket = `t${++tickets}`
  routes[`POST /accounts/${ticket}`] = guarded((body, own) => own === session && register(session, responseOf(body)))
  routes[`POST /sessions/${ticket}`] = guarded((body, own) => own === session && signIn(session, responseOf(body)))
  return { publicKey: options, ticket }
}

const routes = {
  'GET /': (_, { csrf }) => [200, page(csrf, 'Sign in', '/new')],
  'GET /new': (_, { csrf }) => [200, page(csrf, 'Sign up', '/')],
  'POST /accounts': guarded(async ({ email, full }, session) => begun(await registrationOptions(session, email, full), session)),
  'POST /sessions': guarded(async ({ email }, session) => begun(await signInOptions(session, email), session)),
}
serve(routes)
