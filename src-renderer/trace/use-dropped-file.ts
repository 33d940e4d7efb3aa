import { useEffect, useEffectEvent, useState } from 'react'

/** Takes files that nothing else on the page takes, and returns true while one is dragged above it. */
export const useDroppedFile = (take: (file: File) => void): boolean => {
  const [over, setOver] = useState(false)
  const drop = useEffectEvent(take)
  useEffect(() => {
    const stop = new AbortController()
    const on = <K extends 'dragover' | 'dragleave' | 'drop'>(type: K, hear: (event: DragEvent) => void) =>
      addEventListener(type, hear, { signal: stop.signal })
    on('dragover', (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return
      // Else the browser would open it in the place of the page.
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

/** The name of a file is known only when it is dropped; a picture is meant for a phone's camera. */
const mayBeTrace = ({ items }: DataTransfer): boolean => [...items].some(({ type }) => !type.startsWith('image/'))
