import type { Page } from '@playwright/test'

type Fiber = {
  readonly alternate: Fiber | null
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly flags: number
  readonly type: unknown
}

type Recorder = { handsetRendered?: string[] }

/**
 * Names the components that React’s development build renders from now on, by the hook that React’s own developer tools use.
 * It has to be there before the page is.
 */
export const recordRenders = async (page: Page): Promise<{ readonly take: () => Promise<readonly string[]> }> => {
  await page.addInitScript(() => {
    const rendered: string[] = []
    ;(window as Recorder).handsetRendered = rendered
    // React marks a fiber with this when its function was called.
    const PERFORMED_WORK = 1
    const nameOf = (type: unknown): string | undefined => {
      if (typeof type === 'function') return type.name
      const inner = (type as { type?: unknown } | null)?.type
      return typeof inner === 'function' ? inner.name : undefined
    }
    const visit = (fiber: Fiber): void => {
      const before = fiber.alternate
      const name = nameOf(fiber.type)
      if (name !== undefined && name !== '' && (before === null || (fiber.flags & PERFORMED_WORK) !== 0)) {
        rendered.push(name)
      }
      // The same children: nothing below was looked at.
      if (before !== null && before.child === fiber.child) return
      for (let child = fiber.child; child !== null; child = child.sibling) visit(child)
    }
    Object.assign(window, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        renderers: new Map(),
        supportsFiber: true,
        checkDCE: () => undefined,
        inject: () => 1,
        onScheduleFiberRoot: () => undefined,
        onCommitFiberUnmount: () => undefined,
        onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => visit(root.current),
      },
    })
  })
  return { take: () => page.evaluate(() => (window as Recorder).handsetRendered?.splice(0) ?? []) }
}
