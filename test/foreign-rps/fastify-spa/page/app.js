const $ = (id) => document.getElementById(id)
const MODULE = 6
const QUIET = 4

// The number tells an answer for an old attempt from one for the present attempt.
let round = 0

// The browser sends the cookie by itself; this script never sees it.
const api = async (method, path, body) => {
  const response = await fetch(path, { method, ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }) })
  const answer = response.status === 204 ? {} : await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

// A screen reader speaks a status again when it is written again, so the same text is written once.
const say = (text) => {
  if ($('progress').textContent !== text) $('progress').textContent = text
}

const showCode = (code) => {
  $('code').replaceChildren()
  if (!code) return
  const side = code.rows.length + 2 * QUIET
  const dark = code.rows.flatMap((row, y) => [...row].map((bit, x) => (bit === '1' ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
  const make = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    return element
  }
  const svg = make('svg', { role: 'img', 'aria-label': 'QR code', width: side * MODULE, height: side * MODULE, viewBox: `0 0 ${side} ${side}`, 'shape-rendering': 'crispEdges' })
  svg.append(make('rect', { width: side, height: side, fill: '#fff' }), make('path', { d: dark.join(''), fill: '#000' }))
  $('code').append(svg)
}

const showWho = async () => {
  const me = await api('GET', '/api/me')
  $('who').textContent = me.signed_in ? `Signed in as ${me.name}` : 'You are not signed in.'
  $('visitor').hidden = me.signed_in
  $('member').hidden = !me.signed_in
  $('member').dataset.name = me.name ?? ''
  $('passkeys').textContent = `Passkeys: ${me.passkeys}`
}

// Whatever goes wrong is told to the visitor.
const attemptTo = async (work) => {
  try {
    await work()
  } catch (error) {
    say(error.message || 'This did not work. Please try again.')
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 150))

const progressOf = ({ kind, state, method, message, scanned_by }) => {
  if (state === 'scanned') return `Scanned by ${scanned_by || 'a phone'}. Please confirm on the phone.`
  if (state === 'failed') return `Failed: ${message}`
  if (state === 'success') return kind === 'registration' && !$('visitor').hidden ? `${message} Please sign in.` : message
  return method === 'push' ? 'Please open the request on your phone.' : 'Please scan the code with your phone.'
}

const run = (path, body) => attemptTo(async () => {
  round += 1
  const mine = round
  showCode(null)
  say('One moment …')
  try {
    let attempt = await api('POST', path, body)
    if (mine !== round) return
    showCode(attempt.code)
    while (attempt.state !== 'success' && attempt.state !== 'failed') {
      say(progressOf(attempt))
      await pause()
      if (mine !== round) return
      attempt = await api('GET', `/api/attempts/${attempt.id}`)
      if (mine !== round) return
      if (attempt.state !== 'waiting') showCode(null)
    }
    say(progressOf(attempt))
    if (attempt.state === 'success') await showWho()
  } catch (error) {
    if (mine !== round) return
    showCode(null)
    throw new Error(`Failed: ${error.message}`)
  }
})

$('visitor').addEventListener('submit', (event) => {
  event.preventDefault()
  const name = $('name').value
  const choice = event.submitter?.value ?? 'qrcode'
  if (choice === 'register') run('/api/registrations', { name })
  else run('/api/sign-ins', { name, method: choice })
})

$('add').addEventListener('click', () => run('/api/registrations', { name: $('member').dataset.name }))

$('sign-out').addEventListener('click', () => attemptTo(async () => {
  round += 1
  await api('DELETE', '/api/session')
  showCode(null)
  await showWho()
  say('You are signed out.')
}))

attemptTo(showWho)
