import { useEffect } from 'react'

const FOCUSABLE = 'input:checked, input:not([type="radio"]), select, button:not(:disabled), [tabindex="0"]'

/** Scrolls to the part of a page that an address names, and focuses it, as soon as the part exists. */
export const useScrollTo = (part: string | undefined, there: boolean): void => {
  useEffect(() => {
    if (part === undefined || !there) return
    const element = document.querySelector<HTMLElement>(`[data-address="${CSS.escape(part)}"]`)
    element?.scrollIntoView({ block: 'center' })
    controlOf(element)?.focus({ preventScroll: true })
  }, [part, there])
}

/** The first control in the element, or in the next element, because the element may be only a label. */
const controlOf = (element: HTMLElement | null): HTMLElement | undefined => {
  const within = element?.querySelector<HTMLElement>(FOCUSABLE)
  return within ?? element?.nextElementSibling?.querySelector<HTMLElement>(FOCUSABLE) ?? undefined
}
