import { join } from 'node:path'
import { app, BrowserWindow, session } from 'electron'
import { startBench } from './bench.ts'
import { findRoot, versionAt } from './cli/root.ts'
import { parseStart } from './cli/start-options.ts'
import { lockNavigation, lockPermissions } from './shell/lock-down.ts'
import { windowOptions } from './shell/window-options.ts'

/** Electron's composition root: start the bench, open the window. Nothing else. */
const root = findRoot(import.meta.dirname)

const giveUp = (problem: string): void => {
  console.error(`handset: ${problem}`)
  app.exit(1)
}

const open = async (): Promise<void> => {
  const wanted = parseStart(process.argv.slice(app.isPackaged ? 1 : 2), process)
  if (!wanted.ok) return giveUp(wanted.error)
  const started = await startBench({
    ...wanted.value,
    version: versionAt(root),
    pageFolder: join(root, 'out/renderer'),
  })
  if (!started.ok) return giveUp(started.error)
  const bench = started.value

  app.on('will-quit', (event) => {
    event.preventDefault()
    void bench.close().then(() => app.exit(0))
  })
  lockPermissions(session.defaultSession, bench.uiUrl)
  const window = new BrowserWindow(windowOptions(join(root, 'out/preload/preload.cjs')))
  lockNavigation(window.webContents, bench.uiUrl)
  window.once('ready-to-show', () => window.show())
  await window.loadURL(bench.invite())
}

app.on('window-all-closed', () => app.quit())
void app.whenReady().then(open)
