// Shows what the server says about the attempt. The server decides what the page is after the end.
const status = document.querySelector('[data-events]')
const source = new EventSource(status.dataset.events)
source.onmessage = ({ data }) => {
  const { ended, words } = JSON.parse(data)
  if (status.textContent !== words) status.textContent = words
  if (!ended) return
  source.close()
  location.reload()
}
source.onerror = () => {
  // A lost connection comes back by itself; a refused one does not.
  if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 1000)
}
