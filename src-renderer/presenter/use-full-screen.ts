import { useEffect, useEffectEvent, useRef } from 'react'

/** The whole screen while this is shown, where the browser allows it. Its own Esc ends both. */
export const useFullScreen = (onLeft: () => void) => {
  const left = useEffectEvent(onLeft)
  const aside = useRef(false)
  const filled = useRef(false)
  useEffect(() => {
    const change = () => {
      if (document.fullscreenElement !== null) {
        filled.current = true
        aside.current = false
      } else if (filled.current) {
        filled.current = false
        if (!aside.current) left()
      }
    }
    /** Browsers fill the screen only on a gesture. */
    const refill = () => {
      if (aside.current && !filled.current) void fill()
    }
    document.addEventListener('fullscreenchange', change)
    addEventListener('keydown', refill)
    addEventListener('pointerdown', refill)
    const asked = fill()
    return () => {
      document.removeEventListener('fullscreenchange', change)
      removeEventListener('keydown', refill)
      removeEventListener('pointerdown', refill)
      void asked.then(() => (document.fullscreenElement === null ? undefined : document.exitFullscreen()))
    }
  }, [])
  return {
    /** Another window opens, and browsers give the screen back for it: the next gesture here fills it again. */
    stepAside: () => {
      aside.current = true
    },
  }
}

const fill = async (): Promise<void> => {
  await document.documentElement.requestFullscreen?.().catch(() => undefined)
}
