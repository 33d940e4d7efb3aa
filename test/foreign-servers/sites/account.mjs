/**
 * A passkey is added to an account that a password made, by XMLHttpRequest; at the login it has no button: the browser
 * offers it in the field, and nobody types a name. Its options ask for no discoverable passkey, and exclude those of all users.
 */
import { allCredentials, register, registrationOptions, serve, signIn, signInOptions } from './passkeys.mjs'

const SCRIPT = `
const call = (path, body) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest()
  request.open('POST', path)
  request.setRequestHeader('Content-Type', 'application/json')
  request.setRequestHeader('X-Requested-With', 'XMLHttpRequest')
  request.onload = () => resolve(JSON.parse(request.responseText))
  request.onerror = reject
  request.send(JSON.stringify(body))
})
const told = (text) => { document.querySelector('#told').textContent = text }`

const LOGIN = `<h1>Log in</h1>
<form method="post" action="/login"><input name="user" placeholder="User name" autocomplete="username webauthn">
<label>Password <input type="password" name="password"></label> <button>Log in</button></form>
<a href="/signup">Create account</a> <p id="told"></p>
<script type="module">${SCRIPT}
const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await call('/login/options', {}))
const credential = await navigator.credentials.get({ mediation: 'conditional', publicKey })
const { done, error } = await call('/login/passkey', { credential: credential.toJSON(), remember: true })
if (done) location.href = '/account'
else told(error)
</script>`

const SIGN_UP = `<h1>Create account</h1><form method="post"><label>User name <input name="user"></label>
<label>Password <input type="password" name="password"></label> <label><input type="checkbox" name="terms"> I agree to the terms</label>
<button>Create account</button></form>`

const account = (name) => `<h1>Hello ${name}</h1><button id="add">Add a passkey</button> <p id="told"></p>
<script type="module">${SCRIPT}
document.querySelector('#add').onclick = async () => {
  const { options } = await call('/passkeys/options', {})
  const credential = await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
  const { error = 'Added' } = await call('/passkeys', credential)
  told(error)
}
</script>`

const told = (run) => async (body, session) => {
  try {
    return [200, { done: 1, ...(await run(body, session)) }]
  } catch (error) {
    return [200, { error: error.message }]
  }
}

const passwords = new Map()
const inside = [303, '', { Location: '/account' }]

serve({
  'GET /': () => [200, LOGIN],
  'GET /signup': () => [200, SIGN_UP],
  'GET /account': (_, { account: name }) => (name === undefined ? [303, '', { Location: '/' }] : [200, account(name)]),
  'POST /signup': ({ user, password, terms }, session) => {
    if (passwords.has(user) || password.length < 8 || terms === undefined) return [400, SIGN_UP]
    passwords.set(user, password)
    session.account = user
    return inside
  },
  'POST /login': ({ user, password }, session) => {
    if (passwords.get(user) !== password) return [403, LOGIN]
    session.account = user
    return inside
  },
  'POST /passkeys/options': told(async (_, session) => ({ options: await registrationOptions(session, session.account, session.account, { authenticatorSelection: undefined, excludeCredentials: allCredentials() }) })),
  'POST /passkeys': told((credential, session) => register(session, credential)),
  'POST /login/options': async (_, session) => [200, await signInOptions(session)],
  'POST /login/passkey': told(async ({ credential }, session) => {
    await signIn(session, credential)
    session.account = session.name
  }),
})
