import { useEffect } from 'react'
import type { Screen } from './title-bar.tsx'

type Shortcuts = { readonly onScreen: (screen: Screen) => void; readonly onHelp: () => void }

/** What a key alone does: it presses the control that carries this mark, so that both always do the same. */
const PRESSES: Readonly<Record<string, string>> = {
  s: 'scan',
  t: 'touch',
  r: 'reject',
  i: 'inspect',
  ' ': 'pause',
  p: 'present',
}

const PANES = '.rp-window, .phone-body, .timeline .rows, .inspector-body, .console-main'

export const useShortcuts = ({ onScreen, onHelp }: Shortcuts): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (handle(event, { onScreen, onHelp })) event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onScreen, onHelp])
}

const handle = (event: KeyboardEvent, { onScreen, onHelp }: Shortcuts): boolean => {
  if (event.ctrlKey || event.metaKey) {
    const screen = event.key === '1' ? 'bench' : event.key === '2' ? 'console' : undefined
    if (screen !== undefined) onScreen(screen)
    return screen !== undefined
  }
  if (event.altKey) return /^[1-9]$/.test(event.key) && focusPhone(Number(event.key) - 1)
  if (event.key === 'F6') return nextPane(event.shiftKey ? -1 : 1)
  if (takesText(event.target)) return false
  if (event.key === '?') {
    onHelp()
    return true
  }
  if (event.key === '/') {
    const filter = visible('[data-do="filter"]')
    filter?.focus()
    return filter !== undefined
  }
  const name = PRESSES[event.key.toLowerCase()]
  // Space belongs to the button that has the focus.
  if (name === undefined || (event.key === ' ' && event.target instanceof HTMLButtonElement)) return false
  const mark = `[data-do="${name}"]`
  const control = visible(`.phone-stand:focus-within ${mark}`) ?? visible(mark)
  control?.click()
  return control !== undefined
}

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null

const visible = (selector: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.offsetParent !== null)

const focusable = 'button:not(:disabled), input, select, [tabindex="0"]'

const focusPhone = (index: number): boolean => {
  const phone = document.querySelectorAll<HTMLElement>('.phone-body')[index]
  const control =
    phone?.querySelector<HTMLElement>(focusable) ?? phone?.parentElement?.querySelector<HTMLElement>(focusable)
  control?.focus()
  control?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return control !== undefined && control !== null
}

const nextPane = (by: number): boolean => {
  const panes = [...document.querySelectorAll<HTMLElement>(PANES)].filter(
    (pane) => pane.offsetParent !== null && pane.querySelector(focusable) !== null,
  )
  const here = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = panes[(here + by + panes.length) % panes.length]
  next?.querySelector<HTMLElement>(focusable)?.focus()
  return next !== undefined
}
