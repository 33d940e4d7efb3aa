import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { TimelineScene, TimelineView } from './timeline-view.ts'

type Scrolling = { readonly list: RefObject<HTMLDivElement | null>; readonly onScroll: () => void }

/** Keeps the element scrolled to where the view has it, and tells the view where people scroll to. */
export const useScrolling = (view: TimelineView, scene: TimelineScene): Scrolling => {
  const list = useRef<HTMLDivElement>(null)
  /** Where the element stands; to ask it would lay out the page. */
  const stands = useRef(0)

  useLayoutEffect(() => {
    const element = list.current
    if (element === null || Math.abs(scene.top - stands.current) < 0.5) return
    stands.current = scene.top
    element.scrollTop = scene.top
  }, [scene])

  useEffect(() => {
    const element = list.current
    if (element === null) return
    const observer = new ResizeObserver(() => view.resized(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [view])

  const onScroll = useCallback(() => {
    const element = list.current
    if (element === null) return
    stands.current = element.scrollTop
    view.scrolled({ top: stands.current, height: element.clientHeight })
  }, [view])

  return { list, onScroll }
}
