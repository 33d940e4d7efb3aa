// Forms and [data-poll] fetch a fragment from the server and put it into the panel. There is no other script on this site.
const PAUSE = 400
const panel = document.getElementById('panel')
let latest = 0

async function swap(address, options = {}) {
  const mine = ++latest
  try {
    const response = await fetch(address, { ...options, headers: { 'X-Fragment': 'yes' } })
    const fragment = response.status === 204 ? null : await response.text()
    if (mine !== latest) return
    if (fragment !== null && response.status !== 500) panel.innerHTML = fragment
    else if (response.status === 500) tell('That did not work: the site has a problem.')
  } catch {
    if (mine !== latest) return
    tell('The site does not answer. Trying again.')
  }
  poll()
}

function tell(text) {
  const line = panel.querySelector('.trouble') ?? panel.insertBefore(document.createElement('p'), panel.firstChild)
  line.className = 'trouble bad'
  line.textContent = text
}

function poll() {
  const part = panel.querySelector('[data-poll]')
  const mine = latest
  if (part) setTimeout(() => mine === latest && swap(part.dataset.poll), PAUSE)
}

panel.addEventListener('submit', (event) => {
  event.preventDefault()
  const { target: form, submitter } = event
  const fields = new FormData(form)
  if (submitter?.name) fields.append(submitter.name, submitter.value)
  const from = submitter?.hasAttribute('formaction') ? submitter.formAction : form.action
  const post = (submitter?.getAttribute('formmethod') ?? form.method) === 'post'
  swap(from, post ? { method: 'POST', body: new URLSearchParams(fields) } : {})
})

poll()
