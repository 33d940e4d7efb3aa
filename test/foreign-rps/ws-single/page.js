const MODULE = 6
const QUIET = 4
const UNKNOWN_SESSION = 4001

const at = (id) => document.getElementById(id)
const say = (text) => { at('status').textContent = text }

let socket = null
let me = null

function draw(rows) {
  const canvas = at('code')
  const side = (rows.length + 2 * QUIET) * MODULE
  canvas.width = canvas.height = side
  const pen = canvas.getContext('2d')
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, side, side)
  pen.fillStyle = '#000'
  rows.forEach((row, y) => [...row].forEach((dark, x) => {
    if (dark === '1') pen.fillRect((x + QUIET) * MODULE, (y + QUIET) * MODULE, MODULE, MODULE)
  }))
}

function sentence({ what, name, state, message }) {
  switch (state) {
    case 'waiting': return `Scan the code with your phone to ${what === 'register' ? 'register' : 'sign in as'} ${name}.`
    case 'scanned': return `${message} Confirm on the phone.`
    case 'registered': return `Registered. ${message}`
    case 'signed-in': return `Signed in. ${message}`
    default: return `${what === 'register' ? 'Registration' : 'Sign-in'} failed. ${message}`
  }
}

function show({ signedIn, attempt }) {
  me = signedIn
  at('who').textContent = me ? `Signed in as ${me.name}.` : 'Nobody is signed in.'
  at('own').hidden = !me
  at('entry').hidden = Boolean(me)
  say(attempt ? sentence(attempt) : '')
  at('scan').hidden = !attempt?.code
  if (attempt?.code) draw(attempt.code)
}

function enable(on) {
  for (const button of document.querySelectorAll('button')) button.disabled = !on
}

function connect() {
  socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/socket`)
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data)
    enable(true)
    if (message.type === 'state') show(message)
    else if (message.type === 'refused') say(`Failed. ${message.message}`)
  })
  socket.addEventListener('close', ({ code }) => {
    enable(false)
    at('scan').hidden = true
    if (code === UNKNOWN_SESSION) return say('This page is too old. Reload it.')
    say('The connection is lost. The page tries again.')
    setTimeout(connect, 1000)
  })
}

const send = (message) => { if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message)) }

function begin(what, name) {
  enable(false)
  say('One moment …')
  send({ type: 'begin', what, name })
}

at('entry').addEventListener('submit', (event) => {
  event.preventDefault()
  begin('signin', at('name').value)
})
at('register').addEventListener('click', () => begin('register', at('name').value))
at('add').addEventListener('click', () => begin('register', me.name))
at('cancel').addEventListener('click', () => send({ type: 'cancel' }))
at('signout').addEventListener('click', () => send({ type: 'signout' }))

enable(false)
connect()
