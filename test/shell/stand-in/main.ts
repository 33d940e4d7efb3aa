/**
 * Runs a program in the stand-in: node main.ts ENTRY [ARGUMENTS]. `electron` means the stand-in in this process alone.
 */
import { registerHooks } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , entry = '', ...args] = process.argv
const own = new URL('./desktop.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: own, shortCircuit: true } : next(specifier, context),
})
const { life } = await import('./app.ts')
const { commands, report, setting } = await import('./machine.ts')

if (setting.platform !== process.platform) {
  // Native code is of the machine that is really there.
  const { default: Database } = await import('better-sqlite3')
  new Database(':memory:').close()
  Object.defineProperty(process, 'platform', { value: setting.platform })
}
process.argv = setting.packaged ? [process.execPath, ...args] : [process.execPath, dirname(entry), ...args]
process.on('message', (command: { readonly do: string }) => commands.emit(command.do, command))
// lib/browser/init.ts: an exception that nobody catches opens a box and ends nothing.
process.on('uncaughtException', (error) => report('uncaught', { message: String(error) }))
// Electron lives until it is told to end, whatever else is left to do.
setInterval(() => undefined, 1_000_000)

// electron:tutorial/esm: ready waits until the program's first file has been evaluated, with everything it awaits.
await import(pathToFileURL(entry).href)
setImmediate(() => life.becomeReady())
