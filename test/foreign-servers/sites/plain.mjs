/**
 * One page with two buttons that fetches JSON, as with the browser library of @simplewebauthn. It also offers passkeys in the field.
 * A wrong signature has HTTP 200 and a flag. ALONE=1: it has one user for all, behind its entrance, and an error of its own for each refusal.
 */
import { register, registrationOptions, serve, signIn, signInOptions } from './passkeys.mjs'

const isAlone = process.env.ALONE === '1'
const PAGE = `
<label>User name <input id="name" autocomplete="username webauthn"></label>
<button id="register">Create a passkey</button> <button id="sign-in">${isAlone ? 'Authenticate' : 'Sign in'}</button> <p id="told"></p>
<script type="module">
const post = async (path, body) => {
  const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error((await answer.json()).error)
  return answer.json()
}
const told = (text) => { document.querySelector('#told').textContent = text }
const username = () => document.querySelector('#name').value
let waiting = new AbortController()
if (await PublicKeyCredential.isConditionalMediationAvailable())
  navigator.credentials.get({ mediation: 'conditional', signal: waiting.signal, publicKey: { challenge: new Uint8Array(16) } }).then(() => told('too early'), () => {})
document.querySelector('#register').onclick = async () => {
  const optionsJSON = await post('/api/register/begin', { username: username() })
  const credential = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(optionsJSON) })
  if (!(credential instanceof PublicKeyCredential) || credential.response.getPublicKey().byteLength === 0) throw new Error('strange')
  await post('/api/register/finish', { username: username(), response: credential })
  told('You can sign in now')
}
document.querySelector('#sign-in').onclick = async () => {
  waiting.abort()
  const optionsJSON = await post('/api/login/begin', { username: username() })
  const credential = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(optionsJSON) })
  await post('/api/login/finish', { username: username(), response: credential.toJSON() })
  location.href = '/welcome'
}
</script>`

const api = (run) => async (body, session) => {
  try {
    return [200, (await run(body, session)) ?? { verified: true }]
  } catch (error) {
    if (error.message === 'not verified' && !isAlone) return [200, { verified: false }]
    return [isAlone ? 500 : 400, { error: error.message }]
  }
}

serve({
  'GET /': () => [200, isAlone ? '<a href="/start">Sign in</a> <button>Other matters</button>' : PAGE],
  'GET /start': () => [200, PAGE],
  'GET /welcome': () => [200, '<h1>Welcome</h1>'],
  'POST /api/register/begin': api(({ username }, session) => registrationOptions(session, isAlone ? 'all' : username)),
  'POST /api/register/finish': api(({ response }, session) => register(session, response)),
  'POST /api/login/begin': api(({ username }, session) => signInOptions(session, isAlone ? 'all' : username)),
  'POST /api/login/finish': api(({ response }, session) => signIn(session, response)),
})
