// Asks the server how it stands, less and less often while nothing happens.
const FIRST_WAIT = 200
const LONGEST_WAIT = 1500
const MOST_LOST = 6

const progress = document.querySelector('#progress')
const { ticket } = progress.dataset

const show = (state, text) => {
  progress.textContent = text
  if (state !== 'failed') return
  progress.setAttribute('role', 'alert')
  document.querySelector('#code')?.remove()
}

const follow = async () => {
  let wait = FIRST_WAIT
  let lost = 0
  for (let shown = progress.dataset.state; shown !== 'failed'; ) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 1.5, LONGEST_WAIT)
    try {
      const answer = await fetch(`/progress?ticket=${ticket}`, { cache: 'no-store' })
      if (answer.status === 404) return location.reload()
      const { state, text } = await answer.json()
      lost = 0
      if (state === 'done') return location.replace('/done')
      if (state === shown) continue
      show(state, text)
      shown = state
      wait = FIRST_WAIT
    } catch {
      lost += 1
      if (lost === MOST_LOST) return show('failed', 'This failed. The site does not answer. Please begin again.')
    }
  }
}

await follow()
