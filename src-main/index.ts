import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { startBench } from './bench/assembly/bench.ts'
import { builtPageFolder } from './bench/control/page.ts'
import { realClock } from './bench/harness/clock.ts'
import { parseStart } from './cli/bench-options.ts'
import { defaultDataDirectory } from './cli/command.ts'
import { untilEnd } from './cli/command-end.ts'
import { prepareDataFolder } from './cli/data-folder.ts'
import { readyText } from './cli/ready.ts'
import { findRoot, versionAt } from './cli/root.ts'
import { terminalOfProcess } from './cli/terminal.ts'
import { startProblemText } from './core/messages/refusal-text.ts'
import { err, ok, orNothing } from './core/protocol/result.ts'
import { electronDesktop } from './shell/electron-desktop.ts'
import { createElectronWindow } from './shell/electron-window.ts'
import { absoluteArguments, forbiddenSwitch, ownArguments, parseInvocation } from './shell/invocation.ts'
import { openLog } from './shell/log-file.ts'
import { registerLinks, setAppIdentity } from './shell/registration.ts'
import { keepRecentFolders, openShellState, quitsWithWindow } from './shell/shell-state.ts'
import { startAgain } from './shell/start-again.ts'
import { startShell } from './shell/start-shell.ts'
import { selectTexts, texts } from './shell/texts.ts'
import { readTraceFile } from './shell/trace-file.ts'

/** This file binds Electron to the shell, and the shell to the bench. */
const root = findRoot(import.meta.dirname)
const terminal = terminalOfProcess()
selectTexts(app.getPreferredSystemLanguages())

let log: (text: string) => void = () => undefined
const say = (text: string): void => {
  terminal.error(text)
  log(text)
}

const giveUp = async (problem: string): Promise<void> => {
  say(`handset: ${problem}`)
  if (app.isPackaged) {
    // Electron's dialog docs: on Linux before ready, an error box is text on stderr.
    await app.whenReady()
    dialog.showErrorBox(texts.failedToStart, problem)
  }
  app.exit(1)
}

const run = async (): Promise<void> => {
  if (app.isPackaged) app.enableSandbox()
  const { platform } = process
  const here = { folder: process.cwd(), platform }
  const args = absoluteArguments(ownArguments(process.argv, app.isPackaged), here)
  const invocation = parseInvocation(args)
  const forbidden = app.isPackaged ? forbiddenSwitch((name) => app.commandLine.hasSwitch(name)) : undefined
  if (forbidden !== undefined) return giveUp(forbidden)
  const wanted = parseStart(
    invocation.ok && invocation.value.kind === 'options' ? invocation.value.options : [],
    process,
  )
  if (!wanted.ok) return giveUp(wanted.error)

  const { dataDirectory } = wanted.value
  const folder = untilEnd(() => prepareDataFolder(dataDirectory))
  if (!folder.ok) return giveUp(folder.error)
  const version = versionAt(root)
  // One instance for each data directory: Electron tells instances apart by this folder.
  const home = dataDirectory === undefined ? mkdtempSync(join(tmpdir(), 'handset-')) : join(dataDirectory, 'desktop')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  app.setPath('userData', home)
  setAppIdentity(app)
  app.setAppLogsPath()
  log = openLog(app.getPath('logs'), realClock.now)
  if (folder.value !== undefined) log(folder.value)
  const shared = join(defaultDataDirectory(process), 'desktop')
  // An AppImage is mounted at another place each time.
  const program = process.env.APPIMAGE ?? process.execPath
  if (app.isPackaged) registerLinks(app, { version, program, file: join(shared, 'registered.json') })
  const state = openShellState(join(home, 'shell.json'))
  const recent = keepRecentFolders(join(shared, 'recent.json'))
  const resources = join(root, 'src-main/shell/resources')
  app.on('window-all-closed', () => {
    if (quitsWithWindow(state.get(), platform)) app.quit()
  })
  if (dataDirectory === undefined) {
    // A file that Chromium still has open is left to the system's cleanup of temporary files.
    process.on('exit', () => orNothing(() => rmSync(home, { recursive: true, force: true })))
  }

  await startShell({
    ...createElectronWindow({ preload: join(root, 'out/preload/preload.cjs'), resources, state, say }),
    ...electronDesktop({ resources, version, state, recent, folder: dataDirectory, say }),
    args,
    claim: (message) => app.requestSingleInstanceLock(message),
    onHandOver: (heard) => app.on('second-instance', (_event, _argv, _folder, data) => heard(data)),
    onLink: (heard) =>
      app.on('open-url', (event, url) => {
        event.preventDefault()
        heard(url)
      }),
    onFile: (heard) =>
      app.on('open-file', (event, path) => {
        event.preventDefault()
        heard(path)
      }),
    readTrace: (path) => readTraceFile(path, platform),
    ready: () => app.whenReady(),
    startBench: async () => {
      const bench = await startBench({ ...wanted.value, version, pageFolder: builtPageFolder(root) })
      if (!bench.ok) return err(startProblemText(texts.messages, bench.error))
      if (dataDirectory !== undefined) recent.use(dataDirectory)
      if (!app.isPackaged) terminal.out(readyText(bench.value, wanted.value, { terminal, version }))
      return ok(bench.value)
    },
    onQuit: (close) => {
      let closing = false
      app.on('will-quit', (event) => {
        event.preventDefault()
        if (closing) return
        closing = true
        void close().finally(() => app.exit(0))
      })
    },
    onActivate: (show) => app.on('activate', show),
    keepRunning: () => state.change({ keepRunning: !state.get().keepRunning }),
    quit: () => app.quit(),
    startAgain: (again) => startAgain(again, root),
    say,
    giveUp,
  })
}

// Not awaited: Electron is ready only when this file has been read to its end.
run().catch((reason: unknown) => giveUp(texts.unexpected(String(reason))))
