import type { FAILING_CHECKS } from './failing-checks.ts'
import type { STRAIGHT_CHECKS } from './straight-checks.ts'

type Mistake = readonly [mistake: string, find: string, instead: string]

/** By the check that must not pass: mistakes in the built shell, each with what stands there and what stands there instead. */
export const BROKEN_SHELLS = {
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
  'lets the page use the camera after a yes, and nothing else, and takes it nowhere': [
    ['the page goes where it likes', 'contents.on("will-navigate"', 'contents.on("will-navigated"'],
    ['the page is led where another one likes', 'contents.on("will-redirect"', 'contents.on("will-redirected"'],
    ['windows open', '{ action: "deny" }', '{ action: "allow" }'],
    ['every permission is given', 'else answer(judged === "granted");', 'else answer(true);'],
    ['a no to the camera is a yes', 'return response === 0;', 'return true;'],
  ],
  'offers to try again when the page cannot be loaded, and when it has crashed': [
    ['a crashed page stays empty', 'if (reason !== "clean-exit")', 'if (false)'],
  ],
  'loses nothing when it is quit under load, and opens where it stood': [
    ['the theme is forgotten', 'nativeTheme.themeSource = state.get().theme;', ''],
    ['the window’s place is forgotten', 'opened.on("close", () => state.change({', 'opened.on("close", () => ({'],
  ],
  'shows a push as a notification and on its icon, and a click opens it on its phone': [
    ['pushes wait unseen', 'pending: parts.badge', 'pending: () => void 0'],
  ],
  'locks everything before its window, and shows the window before the tray': [
    ['nothing is locked', 'parts.lockDown(bench.uiUrl);', ''],
    ['an empty window is shown', 'show: false,', 'show: true,'],
    ['the window is never shown', 'opened.once("ready-to-show"', 'opened.once("ready"'],
  ],
  'shows its window where there is no tray': [
    ['no tray is the end', 'say(texts.noTray(String(reason)));', 'throw reason;'],
  ],
  'hands a second instance’s link to the first, whose window comes to the front': [
    [
      'two instances with the same data',
      'if (!parts.claim(handOver(parts.args))) {',
      'parts.claim(handOver(parts.args));\n\tif (false) {',
    ],
  ],
  'follows a link from outside, and refuses one that is none of ours': [
    ['a link of macOS is left to the system', '\t\t\tevent.preventDefault();\n\t\t\theard(url);', '\t\t\theard(url);'],
  ],
  'ends with its window, unless it is to keep running': [
    ['it never keeps running', '!keepRunning && platform', 'platform'],
    ['Electron ends it with its window', 'app.on("window-all-closed"', 'app.on("window-all-close"'],
  ],
  'gives the page its preload script’s one object, and nothing of Node': [
    ['the preload script is elsewhere', 'out/preload/preload.cjs', 'out/preload/none.cjs'],
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
} as const satisfies Partial<Record<keyof typeof STRAIGHT_CHECKS | keyof typeof FAILING_CHECKS, readonly Mistake[]>>
