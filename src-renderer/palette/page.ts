import type { CurrentUser, Scene } from './desk.ts'
import type { Place } from './shortcuts.ts'

export const placeOf = (target: EventTarget | null, scene: Scene): Place => {
  const isWithin = (selector: string) => target instanceof Element && target.closest(selector) !== null
  return {
    scene,
    dialog: document.querySelector('dialog[open]') !== null,
    typing: isWithin(TEXT),
    pressable: isWithin('button, summary, input, [role="option"], [role="tab"]'),
  }
}

const TEXT =
  'textarea, select, [contenteditable="true"], input:not([type="radio"], [type="checkbox"], [type="range"], [type="button"])'

const FOCUSABLE = 'button:not(:disabled), input, select, [tabindex="0"]'
const PANES = ['rp-window', 'phone-body', 'rows', 'inspector-body', 'console-main']
  .map((part) => `[data-part="${part}"]`)
  .join()

export const focusPhone = (index: number): boolean => {
  const phone = document.querySelectorAll<HTMLElement>('[data-part="phone-stand"] [data-part="phone-body"]')[index]
  const control =
    phone?.querySelector<HTMLElement>(FOCUSABLE) ?? phone?.parentElement?.querySelector<HTMLElement>(FOCUSABLE)
  control?.focus()
  control?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return control !== undefined && control !== null
}

export const focusPane = (by: 1 | -1): boolean => {
  const panes = [...document.querySelectorAll<HTMLElement>(PANES)].filter(
    (pane) => pane.offsetParent !== null && pane.querySelector(FOCUSABLE) !== null,
  )
  const here = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = panes[(here < 0 && by < 0 ? 0 : here + by + panes.length) % panes.length]
  next?.querySelector<HTMLElement>(FOCUSABLE)?.focus()
  return next !== undefined
}

/** The user that the RP's page shows. */
export const currentUser = (): CurrentUser | undefined => {
  const page = document.querySelector<HTMLElement>('[data-part="rp-window"]')
  const { rp, user, username = user } = page?.dataset ?? {}
  return rp === undefined || user === undefined || username === undefined
    ? undefined
    : { rpId: rp, userId: user, username }
}

/** *Connect your server* for the RP on the bench, if any. */
export const connectingNow = () => {
  const rp = currentUser()?.rpId
  return rp === undefined ? {} : { rp }
}
