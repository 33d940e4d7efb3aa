// Asks how the attempt stands, and loads the page again after the end: the server decides what the page is then.
const status = document.querySelector('[data-state]')
const look = async () => {
  try {
    const { ended, words } = await (await fetch(status.dataset.state)).json()
    if (ended) return location.reload()
    if (status.textContent !== words) status.textContent = words
  } catch {
    // A lost answer changes nothing: the next one counts.
  }
  setTimeout(look, 400)
}
setTimeout(look, 400)
