import { useEffect, useState } from 'react'

/** Whether nothing has moved, been touched or got the focus for so long. */
export const useIdle = (afterMs: number): boolean => {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const wake = () => {
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), afterMs)
    }
    let place = ''
    // Browsers report a move also when only the page has moved below a pointer that rests.
    const move = ({ screenX, screenY }: PointerEvent) => {
      const now = `${screenX},${screenY}`
      if (place !== '' && place !== now) wake()
      place = now
    }
    addEventListener('pointermove', move)
    addEventListener('pointerdown', wake)
    addEventListener('focusin', wake)
    wake()
    return () => {
      clearTimeout(timer)
      removeEventListener('pointermove', move)
      removeEventListener('pointerdown', wake)
      removeEventListener('focusin', wake)
    }
  }, [afterMs])
  return idle
}
