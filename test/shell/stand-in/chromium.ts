import { connectDevTools } from './devtools.ts'
import { setting } from './machine.ts'

/** A context of the program's own in the Chromium that the test has started: no cookie and no storage of another one. */
const start = async () => {
  const devTools = await connectDevTools(setting.browser)
  const { browserContextId } = await devTools.browser.send('Target.createBrowserContext', { disposeOnDetach: true })
  await devTools.browser.send('Target.setDiscoverTargets', { discover: true })
  return { ...devTools, browserContextId }
}

let context: ReturnType<typeof start> | undefined

/** Only a program that opens a window waits for it. */
export const chromium = (): ReturnType<typeof start> => {
  context ??= start()
  return context
}

/** With the connection its context ends, and every page in that. */
export const stopChromium = async (): Promise<void> => {
  const started = await context?.catch(() => undefined)
  started?.close()
}
