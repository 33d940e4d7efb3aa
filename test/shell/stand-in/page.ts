import { EventEmitter } from 'node:events'
import { chromium } from './chromium.ts'
import type { Session } from './devtools.ts'

type Size = { readonly width: number; readonly height: number }

/** One page of Chromium; it emits `crash`, `popup` with its address, and `error`s that its scripts do not catch as `page-error`. */
export class Page extends EventEmitter {
  readonly session: Session
  readonly mainFrame: string
  readonly #targetId: string
  #url = 'about:blank'
  #exposed = false
  readonly #functions = new Map<string, (argument: never) => unknown>()

  private constructor({ session, targetId, mainFrame }: Pick<Page, 'session' | 'mainFrame'> & { targetId: string }) {
    super()
    this.session = session
    this.mainFrame = mainFrame
    this.#targetId = targetId
  }

  static async open({ width, height }: Size): Promise<Page> {
    const { browser, session: sessionOf, browserContextId } = await chromium()
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    const session = sessionOf(sessionId)
    const { frameTree } = await session.send('Page.getFrameTree')
    const page = new Page({ session, targetId, mainFrame: frameTree.frame.id })
    browser.on('Target.targetCrashed', (crashed) => {
      if (crashed.targetId === targetId) page.emit('crash')
    })
    browser.on('Target.targetCreated', ({ targetInfo }) => {
      if (targetInfo.openerId !== targetId) return
      page.emit('popup', targetInfo.url)
      browser.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined)
    })
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) page.#url = frame.url + (frame.urlFragment ?? '')
    })
    session.on('Page.navigatedWithinDocument', ({ url }) => {
      page.#url = url
    })
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text } }) =>
      page.emit('page-error', exception?.description ?? text),
    )
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      session.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }),
    ])
    return page
  }

  url(): string {
    return this.#url
  }

  /** Until its `load`; the error is Chromium's own name of it. */
  async goto(url: string): Promise<void> {
    const loaded = new Set<string>()
    let look = (): void => undefined
    const heard = ({ name, loaderId }: { name: string; loaderId: string }): void => {
      if (name === 'load') loaded.add(loaderId)
      look()
    }
    this.session.on('Page.lifecycleEvent', heard)
    try {
      const { loaderId, errorText } = await this.session.send('Page.navigate', { url })
      if (errorText !== undefined) throw new Error(errorText)
      if (loaderId === undefined) return
      await new Promise<void>((resolve) => {
        look = () => (loaded.has(loaderId) ? resolve() : undefined)
        look()
      })
    } finally {
      this.session.off('Page.lifecycleEvent', heard)
    }
  }

  async paint(colorScheme: 'light' | 'dark' | null): Promise<void> {
    const features = [
      { name: 'prefers-color-scheme', value: colorScheme ?? '' },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]
    await this.session.send('Emulation.setEmulatedMedia', { features })
  }

  async screenshot(format: 'png' | 'jpeg'): Promise<Buffer> {
    const { data } = await this.session.send('Page.captureScreenshot', { format })
    return Buffer.from(data, 'base64')
  }

  async runFirst(source: string): Promise<void> {
    await this.session.send('Page.addScriptToEvaluateOnNewDocument', { source })
  }

  /** A function of the page, of one argument, that is answered here. */
  async expose(name: string, answer: (argument: never) => unknown): Promise<void> {
    this.#functions.set(name, answer)
    if (!this.#exposed) {
      this.#exposed = true
      this.session.on('Runtime.bindingCalled', (called) => {
        if (called.name === 'standInCall') void this.#answer(called).catch(() => undefined)
      })
      await this.session.send('Runtime.addBinding', { name: 'standInCall' })
      await this.runFirst(ANSWERS)
    }
    await this.runFirst(`globalThis[${JSON.stringify(name)}] = standInFunction(${JSON.stringify(name)})`)
  }

  async #answer({ payload, executionContextId }: { payload: string; executionContextId: number }): Promise<void> {
    const { id, name, argument } = JSON.parse(payload)
    const value = await this.#functions.get(name)?.(argument as never)
    const expression = `standInAnswers.get(${id})(${JSON.stringify(value ?? null)})`
    await this.session.send('Runtime.evaluate', { expression, contextId: executionContextId })
  }

  crash(): void {
    // It never answers.
    this.session.send('Page.crash').catch(() => undefined)
  }

  async close(): Promise<void> {
    const { browser } = await chromium()
    await browser.send('Target.closeTarget', { targetId: this.#targetId })
  }
}

const ANSWERS = `
  globalThis.standInAnswers = new Map()
  globalThis.standInFunction = (name) => (argument) => new Promise((resolve) => {
    const id = standInAnswers.size + 1
    standInAnswers.set(id, resolve)
    standInCall(JSON.stringify({ id, name, argument }))
  })`
