/** Runs in the page: every place where a person could not read or reach something. It needs nothing from outside itself. */
export const findLayoutProblems = (): string[] => {
  const SLACK = 1.5
  const INTERACTIVE =
    'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=option], [role=treeitem], [role=separator]'
  const found = new Set<string>()
  const scope: Element = document.querySelector('dialog:modal') ?? document.body

  type Box = { left: number; top: number; right: number; bottom: number }
  const boxOf = ({ left, top, right, bottom }: DOMRect): Box => ({ left, top, right, bottom })
  const meet = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  })
  const isEmpty = ({ left, top, right, bottom }: Box, least = 0.5): boolean =>
    right - left < least || bottom - top < least
  const isWithin = (inner: Box, outer: Box): boolean =>
    inner.left >= outer.left - SLACK &&
    inner.right <= outer.right + SLACK &&
    inner.top >= outer.top - SLACK &&
    inner.bottom <= outer.bottom + SLACK
  const window_ = (): Box => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })

  const nameOf = (element: Element): string => {
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30) ?? ''
    const kind = element.classList.length > 0 ? `.${[...element.classList].join('.')}` : element.tagName.toLowerCase()
    return name === '' ? kind : `${kind} “${name.slice(0, 40)}”`
  }
  /** Nothing here changes a style, so that each is asked for once: only places move, when something is scrolled into sight. */
  const remembered = <T>(find: (element: Element) => T): ((element: Element) => T) => {
    const known = new Map<Element, T>()
    return (element) => {
      const before = known.get(element)
      if (before !== undefined) return before
      const found = find(element)
      known.set(element, found)
      return found
    }
  }
  const styleOf = remembered((element) => {
    const style = getComputedStyle(element)
    const { overflowX, overflowY, position, display, transform, clipPath, textOverflow, pointerEvents } = style
    const clamps = style.webkitLineClamp !== 'none'
    return { overflowX, overflowY, position, display, transform, clipPath, textOverflow, pointerEvents, clamps }
  })
  /** Clipped away on purpose: it is there for a screen reader. */
  const isForListeners: (element: Element) => boolean = remembered(
    (element) =>
      styleOf(element).clipPath.startsWith('inset(50%') ||
      (element.parentElement !== null && isForListeners(element.parentElement)),
  )
  const isShown = remembered(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !isForListeners(element),
  )

  /** Ancestors that cut what is outside them, innermost first. */
  const clippers = remembered((element: Element): Element[] => {
    const all: Element[] = []
    let position = styleOf(element).position
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      const style = styleOf(at)
      if (position === 'fixed') break
      if (position === 'absolute' && style.position === 'static' && style.transform === 'none') continue
      position = style.position
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') all.push(at)
    }
    return all
  })
  const isScrollable = (element: Element, axis: 'overflowX' | 'overflowY'): boolean =>
    ['auto', 'scroll'].includes(styleOf(element)[axis])

  // The page itself.
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth)
    found.add(`the page scrolls sideways by ${root.scrollWidth - root.clientWidth}`)
  if (root.scrollHeight > root.clientHeight) found.add(`the page scrolls by ${root.scrollHeight - root.clientHeight}`)

  /** Whether a click into its middle meets it, where it stands now. */
  const isHit = (element: Element): true | string => {
    const rect = element.getBoundingClientRect()
    const box = boxOf(rect)
    for (const clipper of clippers(element)) {
      const limits = boxOf(clipper.getBoundingClientRect())
      // What is larger than its scrolling pane is reached by scrolling on.
      const fits = rect.height <= clipper.clientHeight + SLACK || !isScrollable(clipper, 'overflowY')
      if (fits && !isWithin(box, limits)) return `is cut off by ${nameOf(clipper).slice(0, 40)}`
    }
    if (!isWithin(box, window_())) return 'is outside the window'
    const hit = document.elementFromPoint((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2)
    if (hit === null) return 'is not hit in its middle'
    // A notice lies over the page by design, and goes.
    if (
      hit === element ||
      hit.closest('[data-part="notice"]') !== null ||
      element.contains(hit) ||
      hit.closest('label')?.contains(element)
    )
      return true
    return `is covered by ${nameOf(hit)}`
  }
  const isReached = (element: Element): true | string => {
    const now = isHit(element)
    if (now === true) return true
    const hidden = clippers(element).filter(
      (each) => !isScrollable(each, 'overflowY') && !isScrollable(each, 'overflowX'),
    )
    const all = [...clippers(element), root, document.body]
    const before = all.map((each) => [each.scrollLeft, each.scrollTop] as const)
    let last: true | string = now
    for (const block of ['center', 'nearest', 'start', 'end'] as const) {
      element.scrollIntoView({ block, inline: block, behavior: 'instant' })
      const pushed = hidden.find((each) => each.scrollTop !== 0 || each.scrollLeft !== 0)
      last = pushed === undefined ? isHit(element) : `lies beyond the edge of ${nameOf(pushed).slice(0, 60)}`
      if (last === true) break
    }
    for (const [i, each] of all.entries())
      each.scrollTo({ left: before[i]?.[0] ?? 0, top: before[i]?.[1] ?? 0, behavior: 'instant' })
    return last
  }
  for (const element of scope.querySelectorAll(INTERACTIVE)) {
    const rect = element.getBoundingClientRect()
    if (!isShown(element) || rect.width === 0 || rect.height === 0) continue
    if (styleOf(element).pointerEvents === 'none') continue
    const reached = isReached(element)
    if (reached !== true) found.add(`${nameOf(element)} ${reached}`)
  }

  // What is written, line by line.
  type Line = { readonly element: Element; readonly text: string; readonly whole: Box; readonly seen: Box }
  const lines: Line[] = []
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    const text = node.nodeValue?.trim() ?? ''
    if (element === null || text === '' || !isShown(element) || element.closest('option, title') !== null) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const cut = [element, ...clippers(element)].filter((each) => styleOf(each).overflowX !== 'visible')
    for (const rect of range.getClientRects()) {
      const whole = boxOf(rect)
      if (isEmpty(whole)) continue
      let seen = meet(whole, window_())
      for (const clipper of cut) {
        const limits = boxOf(clipper.getBoundingClientRect())
        const style = styleOf(clipper)
        const scrolls = isScrollable(clipper, 'overflowX')
        const loses = whole.right > limits.right + SLACK || whole.left < limits.left - SLACK
        // Cut short with an ellipsis, or within a pane that has been scrolled: said, or reached.
        if (loses && !scrolls && style.textOverflow !== 'ellipsis' && !isEmpty(seen)) {
          if (
            !cut
              .slice(0, cut.indexOf(clipper))
              .some((inner) => isScrollable(inner, 'overflowX') || styleOf(inner).textOverflow === 'ellipsis')
          ) {
            found.add(`the text “${text.slice(0, 40)}” is cut by ${nameOf(clipper).slice(0, 40)}`)
          }
        }
        const tooTall = whole.bottom > limits.bottom + 3 || whole.top < limits.top - 3
        const isClamped = style.clamps
        if (tooTall && !isClamped && !isScrollable(clipper, 'overflowY') && !isEmpty(seen)) {
          if (!cut.slice(0, cut.indexOf(clipper)).some((inner) => isScrollable(inner, 'overflowY'))) {
            found.add(`the text “${text.slice(0, 40)}” is cut by the height of ${nameOf(clipper).slice(0, 40)}`)
          }
        }
        seen = meet(seen, limits)
      }
      if (!isEmpty(seen, 2)) lines.push({ element, text, whole, seen })
    }
  }

  // No picture lies over words.
  for (const { text, seen } of lines) {
    const hit = document.elementFromPoint((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2)
    if (hit instanceof HTMLCanvasElement) found.add(`the text “${text.slice(0, 40)}” is covered by a picture`)
  }

  // A box that is drawn holds its own words.
  const isDrawn = remembered((element) => {
    const style = getComputedStyle(element)
    return (
      style.boxShadow !== 'none' ||
      Number.parseFloat(style.borderTopWidth) > 0 ||
      element.matches('button, label, td, th')
    )
  })
  for (const { element, text, seen } of lines) {
    for (let at: Element | null = element; at !== null && at !== scope; at = at.parentElement) {
      const style = styleOf(at)
      if (isDrawn(at) && style.display !== 'inline' && style.display !== 'contents') {
        if (!isWithin(seen, boxOf(at.getBoundingClientRect()))) {
          found.add(`the text “${text.slice(0, 40)}” overflows ${nameOf(at)}`)
          break
        }
      }
      if (style.position === 'absolute' || style.position === 'fixed') break
    }
  }

  // No line is printed over another.
  const isPainted = remembered((element) => {
    const style = getComputedStyle(element)
    return style.backgroundImage !== 'none' || !/rgba\(\d+, \d+, \d+, 0\)|transparent/.test(style.backgroundColor)
  })
  /** The layer on top of which both would be read, or the one that lies between them. */
  const hides = (upper: Element, lower: Element, x: number, y: number): boolean => {
    for (const each of document.elementsFromPoint(x, y)) {
      if (each.contains(lower)) return false
      if (each.contains(upper) && isPainted(each)) return true
    }
    return false
  }
  lines.sort((a, b) => a.seen.top - b.seen.top)
  for (const [i, one] of lines.entries()) {
    for (let j = i + 1; j < lines.length; j++) {
      const other = lines[j] as Line
      if (other.seen.top >= one.seen.bottom - 4) break
      if (one.element === other.element) continue
      const both = meet(one.seen, other.seen)
      if (isEmpty(both, 3) || both.bottom - both.top < 5) continue
      const x = (both.left + both.right) / 2
      const y = (both.top + both.bottom) / 2
      if (hides(one.element, other.element, x, y) || hides(other.element, one.element, x, y)) continue
      found.add(`“${one.text.slice(0, 40)}” is printed over “${other.text.slice(0, 40)}”`)
    }
  }

  // Only these scroll sideways, and only where the window leaves no other way.
  const PHONES = '[data-part=phones]'
  const SIDEWAYS =
    innerWidth < 900
      ? `${PHONES}, [role=tablist], [data-part=console-nav], [data-part=parts], [data-part=table-room]`
      : PHONES
  for (const element of scope.querySelectorAll('*')) {
    if (!isShown(element) || element.matches(SIDEWAYS) || element.matches('input, textarea, select')) continue
    if (isScrollable(element, 'overflowX') && element.scrollWidth > element.clientWidth + 1) {
      found.add(`${nameOf(element).slice(0, 60)} scrolls sideways by ${element.scrollWidth - element.clientWidth}`)
    }
  }
  return [...found].sort()
}
