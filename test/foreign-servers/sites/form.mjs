/** Pages made by the server: options in a script of the page, the credential's JSON in a hidden field, and a page for each refusal. */
import { register, registrationOptions, serve, signIn, signInOptions } from './passkeys.mjs'

const form = (action, button, csrf) => `<form method="post" action="${action}"><input type="hidden" name="_csrf" value="${csrf}">
<label>User name <input name="user"></label> <button>${button}</button></form>`

const home = (csrf, told = '') => `${told}<h2>New here?</h2>${form('/join', 'Register with a passkey', csrf)}
<h2>Welcome back</h2>${form('/enter', 'Sign in with a passkey', csrf)}`

const touch = (kind, action, options, csrf) => `<p>Touch your authenticator.</p>
<script type="application/json" id="options">${JSON.stringify({ kind, options }).replaceAll('<', '\\u003c')}</script>
<form method="post" action="${action}"><input type="hidden" name="_csrf" value="${csrf}"><input type="hidden" name="credential"></form>
<script type="module">
const { kind, options } = JSON.parse(document.querySelector('#options').textContent)
const parse = kind === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
const credential = await navigator.credentials[kind]({ publicKey: PublicKeyCredential[parse](options) })
document.forms[0].elements.credential.value = JSON.stringify(credential)
document.forms[0].submit()
</script>`

const guarded = (run) => async (body, session) => {
  try {
    if (body._csrf !== session.csrf) throw new Error('the form is too old')
    const page = await run(body, session)
    return page === undefined ? [303, '', { Location: '/inside' }] : [200, page]
  } catch (error) {
    return [200, home(session.csrf, `<p role="alert">That did not work: ${error.message}.</p>`)]
  }
}

serve({
  'GET /': (_, { csrf }) => [200, home(csrf)],
  'GET /inside': () => [200, '<h1>You are in</h1>'],
  'POST /join': guarded(async ({ user }, session) =>
    touch('create', '/join/finish', await registrationOptions(session, user), session.csrf),
  ),
  'POST /join/finish': guarded(({ credential }, session) => register(session, JSON.parse(credential))),
  'POST /enter': guarded(async ({ user }, session) =>
    touch('get', '/enter/finish', await signInOptions(session, user), session.csrf),
  ),
  'POST /enter/finish': guarded(({ credential }, session) => signIn(session, JSON.parse(credential))),
})
