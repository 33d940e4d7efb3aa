// The pages. Every text that is put in is escaped, unless it is markup made here.
class Markup {
  constructor(text) {
    this.text = text
  }
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text) => String(text).replace(/[&<>"']/g, (char) => ENTITIES[char])

const render = (value) => {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  return value === undefined || value === false ? '' : escape(value)
}

export const html = (strings, ...values) => new Markup(String.raw({ raw: strings }, ...values.map(render)))

const who = (account) =>
  account
    ? html`<p>Signed in as <bdi>${account.name}</bdi></p>
      <form method="post" action="/sign-out"><button>Sign out</button></form>`
    : html`<p>Nobody is signed in.</p>`

const page = (title, account, main) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Reading Room</title>
<link rel="stylesheet" href="/public/wizard.css">
</head>
<body>
<header><a href="/">Reading Room</a>${who(account)}</header>
<main><h1>${title}</h1>${main}</main>
</body>
</html>`.text

const alert = (problem) => problem && html`<p role="alert">${problem}</p>`

export const homePage = (account) =>
  page('Welcome', account, account
    ? html`<p><a href="/passkeys">Your passkeys</a></p>`
    : html`<p><a href="/sign-in">Sign in</a> or <a href="/register">become a reader</a>.</p>`)

export const namePage = (task, account, problem, typed = '') =>
  page(task === 'register' ? 'Become a reader' : 'Sign in', account, html`${alert(problem)}
  <form method="post" action="/${task}">
    <p class="step">Step 1 of 3</p>
    <label>Reader name <input name="name" value="${typed}" required maxlength="160" autocomplete="username" autofocus></label>
    <button>Next</button>
  </form>`)

export const passkeyStepPage = (name, account) =>
  page('Your passkey', account, html`
  <form method="post" action="/register/passkey">
    <p class="step">Step 2 of 3</p>
    <p>Hello <bdi>${name}</bdi>! You need no password here. Your phone keeps a passkey for you.</p>
    <button>Show the code</button>
  </form>`)

export const methodPage = (name, account) =>
  page('How do you want to sign in?', account, html`
  <form method="post" action="/sign-in/method">
    <p class="step">Step 2 of 3: <bdi>${name}</bdi></p>
    <button name="method" value="qrcode">Scan a code</button>
    <button name="method" value="push">Ask my phone</button>
  </form>`)

export const waitPage = (attempt, account) =>
  page(attempt.title, account, html`
  <p class="step">Step 3 of 3: <bdi>${attempt.account.name}</bdi></p>
  ${attempt.state !== 'failed' && attempt.method === 'qrcode' && html`<img id="code" src="/code/${attempt.ticket}" width="280" height="280" alt="QR code for your phone">`}
  <p id="progress" role="${attempt.state === 'failed' ? 'alert' : 'status'}" data-ticket="${attempt.ticket}" data-state="${attempt.state}">${attempt.text}</p>
  <p><a href="/${attempt.task}">Begin again</a></p>
  <script type="module" src="/public/wizard.js"></script>`)

export const donePage = (account, text) =>
  page('Done', account, html`<p>${text}</p><p><a href="/passkeys">Your passkeys</a></p>`)

export const passkeysPage = (account, passkeys) =>
  page('Your passkeys', account, html`
  ${passkeys === undefined
    ? alert('The service does not say which passkeys you have. Please come back later.')
    : html`<ul>${passkeys.map((one) => html`<li><bdi>${one.credential_name || 'Without a name'}</bdi></li>`)}</ul>`}
  <form method="post" action="/passkeys"><button>Add a passkey</button></form>`)

export const messagePage = (account, title, text) => page(title, account, html`<p role="alert">${text}</p><p><a href="/">To the start</a></p>`)
