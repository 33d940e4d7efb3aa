import { readFileSync } from 'node:fs'
import type { Session } from './devtools.ts'
import { noteCall } from './noted.ts'

const WORLD = 'Electron Isolated Context'

/** A preload script must be registered before the page's own scripts run, and sees the page from a world of its own. */
export const runPreload = async (devTools: Session, file: string): Promise<void> => {
  const platform = JSON.stringify(process.platform)
  // The page's world: takes over what the preload script hands it, as a copy that cannot be changed.
  const receive = `globalThis.addEventListener('stand-in-expose', (event) => {
    event.stopImmediatePropagation()
    const { key, value } = JSON.parse(event.detail)
    const freeze = (each) => (Object(each) === each ? Object.freeze(Object.values(each).map(freeze) && each) : each)
    Object.defineProperty(globalThis, key, { value: freeze(value), enumerable: true })
  })`
  // electron:tutorial/sandbox: a sandboxed preload script gets electron's renderer part, and little of process.
  const run = `(() => {
    const contextBridge = {
      exposeInMainWorld: (key, value) => {
        const detail = JSON.stringify({ key, value })
        globalThis.standInNote('ContextBridge.exposeInMainWorld')
        globalThis.dispatchEvent(new CustomEvent('stand-in-expose', { detail }))
      },
    }
    const require = (name) => {
      if (name === 'electron') return { contextBridge }
      throw new Error('module not found: ' + name)
    }
    const module = { exports: {} }
    const process = { platform: ${platform}, sandboxed: true, contextIsolated: true }
    ;(function (require, module, exports, process) {${readFileSync(file, 'utf8')}
    })(require, module, module.exports, process)
  })()`
  devTools.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === 'standInNote') noteCall(payload)
  })
  await devTools.send('Runtime.addBinding', { name: 'standInNote', executionContextName: WORLD })
  await devTools.send('Page.addScriptToEvaluateOnNewDocument', { source: receive })
  await devTools.send('Page.addScriptToEvaluateOnNewDocument', { source: run, worldName: WORLD })
}
