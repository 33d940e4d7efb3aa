import { spawn } from 'node:child_process'
import { app } from 'electron'

/** Waits for the program of this number to end, then runs the rest in its own place. */
const WAIT_THEN_RUN = 'program=$1; shift; while kill -0 "$program" 2> /dev/null; do sleep 0.2; done; exec "$0" "$@"'

/** Opens the program once more, with these arguments, when this run has ended. `folder` is what Electron runs before packaging. */
export const startAgain = (args: readonly string[], folder: string): void => {
  const image = app.isPackaged ? process.env.APPIMAGE : undefined
  if (image === undefined) {
    app.relaunch({ args: [...(app.isPackaged ? [] : [folder]), '--', ...args] })
    return
  }
  // An AppImage is unmounted with its program, and with it what app.relaunch() waits with: relauncher_linux.cc.
  const waiting = spawn('/bin/sh', ['-c', WAIT_THEN_RUN, image, String(process.pid), '--', ...args], {
    detached: true,
    stdio: 'ignore',
  })
  waiting.on('error', () => undefined)
  waiting.unref()
}
