import { useEffect } from 'react'

const FOCUSABLE = 'input:checked, input:not([type="radio"]), select, button:not(:disabled), [tabindex="0"]'

/** What an address leads to on a long page comes into sight and has the focus, as soon as it is there. */
export const useLedTo = (part: string | undefined, there: boolean): void => {
  useEffect(() => {
    if (part === undefined || !there) return
    const element = document.querySelector<HTMLElement>(`[data-address="${CSS.escape(part)}"]`)
    element?.scrollIntoView({ block: 'center' })
    controlOf(element)?.focus({ preventScroll: true })
  }, [part, there])
}

/** Within what is led to, else what stands beside it, where that is a name. */
const controlOf = (element: HTMLElement | null): HTMLElement | undefined => {
  const within = element?.querySelector<HTMLElement>(FOCUSABLE)
  return within ?? element?.nextElementSibling?.querySelector<HTMLElement>(FOCUSABLE) ?? undefined
}
