import { spawn } from 'node:child_process'
import { app } from 'electron'

/** Waits for the process with the first argument's id to end, then executes the program with the rest. */
const WAIT_THEN_RUN = 'program=$1; shift; while kill -0 "$program" 2> /dev/null; do sleep 0.2; done; exec "$0" "$@"'

/** `folder`: the folder that Electron runs if the program is not packaged. */
export const startAgain = (args: readonly string[], folder: string): void => {
  const image = app.isPackaged ? process.env.APPIMAGE : undefined
  if (image === undefined) {
    app.relaunch({ args: [...(app.isPackaged ? [] : [folder]), '--', ...args] })
    return
  }
  // The helper of app.relaunch() is in the AppImage, which is unmounted when its program ends: relauncher_linux.cc.
  const waiting = spawn('/bin/sh', ['-c', WAIT_THEN_RUN, image, String(process.pid), '--', ...args], {
    detached: true,
    stdio: 'ignore',
  })
  waiting.on('error', () => undefined)
  waiting.unref()
}
