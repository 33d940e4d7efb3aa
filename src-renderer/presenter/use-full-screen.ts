import { useEffect, useEffectEvent } from 'react'

/** The whole screen while this is shown, where the browser allows it. Its own Esc ends both. */
export const useFullScreen = (onLeft: () => void): void => {
  const left = useEffectEvent(onLeft)
  useEffect(() => {
    let filled = false
    const change = () => {
      if (document.fullscreenElement !== null) filled = true
      else if (filled) left()
    }
    document.addEventListener('fullscreenchange', change)
    const asked = document.documentElement.requestFullscreen?.().catch(() => undefined)
    return () => {
      document.removeEventListener('fullscreenchange', change)
      void asked?.then(() => (document.fullscreenElement === null ? undefined : document.exitFullscreen()))
    }
  }, [])
}
