// The pages. Every value is escaped unless it is markup that this file has made.
import qrcode from 'qrcode-generator'

class Markup {
  constructor(text) {
    this.text = text
  }

  toString() {
    return this.text
  }
}

const raw = (text) => new Markup(String(text))

const toMarkup = (value) => {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(toMarkup).join('')
  return String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const html = (parts, ...values) => raw(parts.reduce((text, part, i) => text + toMarkup(values[i - 1]) + part))

export const codeAsSvg = (text) => {
  const code = qrcode(0, 'M')
  code.addData(text, 'Byte')
  code.make()
  const count = code.getModuleCount()
  const quiet = 4
  const size = count + 2 * quiet
  let path = ''
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) if (code.isDark(row, column)) path += `M${column + quiet} ${row + quiet}h1v1h-1z`
  }
  return html`<svg role="img" aria-label="Code for the phone app" width="${size * 6}" height="${size * 6}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#000" d="${raw(path)}"/></svg>`
}

export const style = `body { font: 1rem/1.5 sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
label, input, button, svg { display: block; margin: 0.5rem 0 }
input { font: inherit; padding: 0.3rem; width: 20rem; max-width: 100% }
button { font: inherit; padding: 0.4rem 0.9rem }
[role=alert] { border-left: 0.3rem solid #a00; padding-left: 0.7rem }
[role=status] { border-left: 0.3rem solid #064; padding-left: 0.7rem }
`

const page = (title, body, refresh = '') => String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh}
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<main>
<h1 dir="auto">${title}</h1>
${body}
</main>
</body>
</html>
`)

const token = (session) => html`<input type="hidden" name="csrf" value="${session.csrf}">`
const alert = (text) => (text ? html`<p role="alert">${text}</p>` : '')
const nameField = (name) => html`<label for="name">Name</label>
<input id="name" name="name" value="${name}" required maxlength="128" autocomplete="username">`

export const homePage = (session) => {
  const notice = session.notice ? html`<p role="status">${session.notice}</p>` : ''
  if (!session.account) return page('Nobody is signed in', html`${notice}<p><a href="/register">Register</a></p><p><a href="/sign-in">Sign in</a></p>`)
  const passkeys = [...session.account.passkeys.values()]
  return page(`Welcome, ${session.account.name}`, html`${notice}
<h2>Your passkeys</h2>
<ul>${passkeys.map((name) => html`<li dir="auto">${name}</li>`)}</ul>
<form method="post" action="/passkeys">${token(session)}<button>Add a passkey</button></form>
<form method="post" action="/sign-out">${token(session)}<button>Sign out</button></form>`)
}

export const registerPage = (session, name = '', problem = '') => page('Register', html`${alert(problem)}
<form method="post" action="/register">${token(session)}
${nameField(name)}
<button>Register a passkey</button>
</form>
<p><a href="/">Home</a></p>`)

export const signInPage = (session, name = '', problem = '') => page('Sign in', html`${alert(problem)}
<form method="post" action="/sign-in">${token(session)}
${nameField(name)}
<button name="method" value="qrcode">Sign in by code</button>
<button name="method" value="push">Sign in by push</button>
</form>
<p><a href="/">Home</a></p>`)

export const attemptPage = (attempt) => {
  const what = attempt.kind === 'registration' ? 'Registration' : 'Sign-in'
  if (attempt.state === 'failed') {
    const again = attempt.kind === 'sign-in' ? '/sign-in' : attempt.owner.account ? '/' : '/register'
    return page(`${what} failed`, html`<p role="alert" dir="auto">${what} failed. ${attempt.why}</p><p><a href="${again}">Try again</a></p>`)
  }
  const wanted = attempt.method === 'push' ? 'Open the message on your phone.' : 'Scan this code with the phone app.'
  const status = attempt.scannedBy ? html`Scanned by ${attempt.scannedBy}. Confirm on the phone.` : html`Waiting for the phone. ${wanted}`
  return page(`${what} of ${attempt.account.name}`, html`${attempt.code}
<p role="status" dir="auto">${status}</p>
<p><a href="/">Home</a></p>`, html`<meta http-equiv="refresh" content="1">`)
}

export const problemPage = (title, text) => page(title, html`${alert(text)}<p><a href="/">Home</a></p>`)
