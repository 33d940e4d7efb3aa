/** Puts a text on the clipboard; false when the browser forbids it. */
export const copyText = async (text: string): Promise<boolean> => {
  // Browsers give a clipboard to pages of this machine and of HTTPS alone: another address has none.
  const written = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  )
  return written === true || copySelected(text)
}

/** The older way copies a selection, so the text is selected for a moment. */
const copySelected = (text: string): boolean => {
  const focused = document.activeElement
  const holder = document.createElement('textarea')
  holder.value = text
  holder.readOnly = true
  holder.className = 'unseen'
  // Outside an open dialog nothing can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(holder)
  holder.select()
  const copied = document.execCommand('copy')
  holder.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return copied
}
