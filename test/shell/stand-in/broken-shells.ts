import type { CHECKS } from './checks.ts'

type Mistake = readonly [mistake: string, find: string, instead: string]

/** By the check that must not pass: mistakes in the built shell, each with what stands there and what stands there instead. */
export const BROKEN_SHELLS = {
  'shows its window once, whether or not it is ever ready to show': [
    ['an empty window is shown', 'show: false,', 'show: true,'],
    ['a window that is never ready stays hidden', 'setTimeout(show, LATEST_SHOW_MS);', ''],
    ['a window is shown twice', 'shown = true;', ''],
  ],
  'is sandboxed and without developer tools when packed, and takes its links behind two dashes': [
    ['no sandbox for every page', 'if (app.isPackaged) app.enableSandbox();', ''],
    ['developer tools in the packed program', 'devTools: !app.isPackaged', 'devTools: true'],
    ['links of Windows beside switches', 'process.execPath, ["--"]', 'process.execPath, []'],
  ],
  'does not start packed with a switch that opens its window to others': [
    ['a debugging port is let through', 'if (forbidden !== void 0) return giveUp(forbidden);', ''],
  ],
  'gives up with a reason when the start throws, and packed in a box once there can be one': [
    [
      'an error box before there can be one',
      '\t\tawait app.whenReady();\n\t\tdialog.showErrorBox',
      '\t\tdialog.showErrorBox',
    ],
  ],
  'shows its window where there is no tray': [
    ['no tray is the end', 'say(texts.noTray(String(reason)));', 'throw reason;'],
  ],
  'takes the links and files that macOS hands to a running program': [
    ['a link of macOS is left to the system', '\t\t\tevent.preventDefault();\n\t\t\theard(url);', '\t\t\theard(url);'],
  ],
  'has macOS ask for the screen, and says what to do after a no': [
    [
      'macOS is believed before it was asked',
      'const thumbnailSize = pictureSize(screen.getAllDisplays());',
      'if (systemPreferences.getMediaAccessStatus("screen") === "denied") throw new Error("denied");\n\t\t\tconst thumbnailSize = pictureSize(screen.getAllDisplays());',
    ],
  ],
  'opens again for whoever asks for it while it closes': [
    ['who asks while it closes gets nothing', 'if (!startsAgain) parts.startAgain', 'if (false) parts.startAgain'],
  ],
} as const satisfies Partial<Record<keyof typeof CHECKS, readonly Mistake[]>>
