import { readFileSync } from 'node:fs'
import type { CDPSession } from '@playwright/test'
import { noteCall } from './noted.ts'

const WORLD = 'Electron Isolated Context'

/** A preload script must be registered before the page's own scripts run, and sees the page from a world of its own. */
export const runPreload = async (cdp: CDPSession, file: string): Promise<void> => {
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
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name === 'standInNote') noteCall(payload)
  })
  await cdp.send('Runtime.enable')
  await cdp.send('Runtime.addBinding', { name: 'standInNote', executionContextName: WORLD })
  await cdp.send('Page.enable')
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: receive })
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: run, worldName: WORLD })
}
