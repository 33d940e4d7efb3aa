import { useEffect, useEffectEvent, useState } from 'react'

/** Handles dropped files that no element of the page handles. Returns true while a file is dragged over the page. */
export const useDroppedFile = (take: (file: File) => void): boolean => {
  const [over, setOver] = useState(false)
  const drop = useEffectEvent(take)
  useEffect(() => {
    const stop = new AbortController()
    const on = <K extends 'dragover' | 'dragleave' | 'drop'>(type: K, listener: (event: DragEvent) => void) =>
      addEventListener(type, listener, { signal: stop.signal })
    on('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      // Otherwise the browser would open the file instead of the page.
      event.preventDefault()
      setOver(mayBeTrace(event.dataTransfer))
    })
    on('dragleave', (event) => event.relatedTarget === null && setOver(false))
    on('drop', (event) => {
      setOver(false)
      const taken = event.defaultPrevented
      const file = event.dataTransfer?.files[0]
      if (file === undefined) return
      event.preventDefault()
      if (!taken) drop(file)
    })
    return () => stop.abort()
  }, [])
  return over
}

/** Excludes pictures, which are for a phone's camera. File names are unknown until the drop. */
const mayBeTrace = ({ items }: DataTransfer): boolean => [...items].some(({ type }) => !type.startsWith('image/'))
