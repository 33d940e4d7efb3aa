import { call } from './api.js'
import { draw } from './code.js'

const at = (id) => document.getElementById(id)
const say = (text) => { at('status').textContent = text }
const pause = (ms) => new Promise((done) => setTimeout(done, ms))

let me = null
// The attempt that the page follows; a newer one makes the older loop stop.
let following = null

async function showMe() {
  me = await call('/api/me')
  at('me').textContent = me.signed_in ? `Signed in as ${me.nickname} (customer ${me.customer_id}).` : 'Nobody is signed in.'
  at('own').hidden = !me.signed_in
  at('entry').hidden = me.signed_in
  return me
}

function showCode(attempt) {
  at('scan').hidden = !attempt?.code
  if (!attempt?.code) at('code').replaceChildren()
  else if (!at('code').firstChild) at('code').append(draw(attempt.code))
}

function sentence({ kind, nickname, state, message }) {
  const what = kind === 'register' ? 'Registration' : 'Sign-in'
  switch (state) {
    case 'waiting': return `Scan the code with your phone to ${kind === 'register' ? 'register' : 'sign in as'} ${nickname}.`
    case 'scanned': return `${message} Confirm on the phone.`
    case 'registered': return `Registered. ${message}`
    case 'signed-in': return `Signed in. ${message}`
    default: return `${what} failed. ${message}`
  }
}

async function follow(attempt) {
  following = attempt.id
  showCode(null)
  let lost = 0
  for (;;) {
    showCode(attempt)
    say(sentence(attempt))
    if (!attempt.code) break
    await pause(300)
    if (following !== attempt.id) return
    try {
      const next = await call(`/api/attempt/${encodeURIComponent(attempt.id)}`)
      if (following !== attempt.id) return
      attempt = next
      lost = 0
    } catch (error) {
      if (following !== attempt.id) return
      // A refusal is final; a shop that cannot be reached for a moment is not.
      if (error.status || ++lost > 10) {
        showCode(null)
        say(`Failed. ${error.message}`)
        break
      }
    }
  }
  following = null
  await showMe()
}

/** Runs what a button does, once at a time, and tells what went wrong. */
async function act(work) {
  const buttons = [...document.querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  let attempt
  try {
    attempt = await work()
  } catch (error) {
    say(`Failed. ${error.message}`)
  } finally {
    for (const button of buttons) button.disabled = false
  }
  if (attempt) follow(attempt).catch((error) => say(`Failed. ${error.message}`))
}

const begin = (path, nickname) => act(() => {
  say('One moment …')
  return call(path, { nickname })
})

at('entry').addEventListener('submit', (event) => {
  event.preventDefault()
  begin('/api/signin', at('nickname').value.trim())
})
at('register').addEventListener('click', () => begin('/api/register', at('nickname').value.trim()))
at('add').addEventListener('click', () => begin('/api/register', me.nickname))
at('cancel').addEventListener('click', () => act(async () => {
  if (following) await call(`/api/attempt/${encodeURIComponent(following)}/cancel`, {})
}))
at('signout').addEventListener('click', () => act(async () => {
  await call('/api/signout', {})
  following = null
  showCode(null)
  say('You are signed out.')
  await showMe()
}))

showMe().then(async () => {
  // After a reload the attempt that is under way goes on.
  if (me.attempt) await follow(await call(`/api/attempt/${encodeURIComponent(me.attempt)}`))
}).catch((error) => say(`Failed. ${error.message}`))
