import type { FAILING_CHECKS } from './failing-checks.ts'
import type { STRAIGHT_CHECKS } from './straight-checks.ts'

/** One mistake in the built shell: what stands there, what stands there instead, and the check that must not pass. */
export type BrokenShell = {
  readonly mistake: string
  readonly find: string
  readonly instead: string
  readonly fails: keyof typeof STRAIGHT_CHECKS | keyof typeof FAILING_CHECKS
}

const ORDER = 'locks everything before its window, and shows the window before the tray'
const PACKED = 'is sandboxed and without developer tools when packed, and takes its links behind two dashes'
const PAGE = 'lets the page use the camera after a yes, and nothing else, and takes it nowhere'
const WINDOW = 'ends with its window, unless it is to keep running'

export const BROKEN_SHELLS: readonly BrokenShell[] = [
  {
    mistake: 'no sandbox for every page',
    find: 'if (app.isPackaged) app.enableSandbox();',
    instead: '',
    fails: PACKED,
  },
  {
    mistake: 'developer tools in the packed program',
    find: 'devTools: !app.isPackaged',
    instead: 'devTools: true',
    fails: PACKED,
  },
  {
    mistake: 'links of Windows beside switches',
    find: 'process.execPath, ["--"]',
    instead: 'process.execPath, []',
    fails: PACKED,
  },
  {
    mistake: 'a debugging port is let through',
    find: 'if (forbidden !== void 0) return giveUp(forbidden);',
    instead: '',
    fails: 'does not start packed with a switch that opens its window to others',
  },
  {
    mistake: 'an error box before there can be one',
    find: '\t\tawait app.whenReady();\n\t\tdialog.showErrorBox',
    instead: '\t\tdialog.showErrorBox',
    fails: 'gives up with a reason when the start throws, and packed in a box once there can be one',
  },
  {
    mistake: 'the page goes where it likes',
    find: 'contents.on("will-navigate"',
    instead: 'contents.on("will-navigated"',
    fails: PAGE,
  },
  {
    mistake: 'the page is led where another one likes',
    find: 'contents.on("will-redirect"',
    instead: 'contents.on("will-redirected"',
    fails: PAGE,
  },
  { mistake: 'windows open', find: '{ action: "deny" }', instead: '{ action: "allow" }', fails: PAGE },
  {
    mistake: 'every permission is given',
    find: 'else answer(judged === "granted");',
    instead: 'else answer(true);',
    fails: PAGE,
  },
  {
    mistake: 'a no to the camera is a yes',
    find: 'return response === 0;',
    instead: 'return true;',
    fails: PAGE,
  },
  {
    mistake: 'a crashed page stays empty',
    find: 'if (reason !== "clean-exit")',
    instead: 'if (false)',
    fails: 'offers to try again when the page cannot be loaded, and when it has crashed',
  },
  {
    mistake: 'the theme is forgotten',
    find: 'nativeTheme.themeSource = state.get().theme;',
    instead: '',
    fails: 'loses nothing when it is quit under load, and opens where it stood',
  },
  {
    mistake: 'pushes wait unseen',
    find: 'pending: parts.badge',
    instead: 'pending: () => void 0',
    fails: 'shows a push as a notification and on its icon, and a click opens it on its phone',
  },
  { mistake: 'nothing is locked', find: 'parts.lockDown(bench.uiUrl);', instead: '', fails: ORDER },
  { mistake: 'an empty window is shown', find: 'show: false,', instead: 'show: true,', fails: ORDER },
  {
    mistake: 'the window is never shown',
    find: 'opened.once("ready-to-show"',
    instead: 'opened.once("ready"',
    fails: ORDER,
  },
  {
    mistake: 'no tray is the end',
    find: 'say(texts.noTray(String(reason)));',
    instead: 'throw reason;',
    fails: 'shows its window where there is no tray',
  },
  {
    mistake: 'two instances with the same data',
    find: 'if (!parts.claim(handOver(parts.args))) {',
    instead: 'parts.claim(handOver(parts.args));\n\tif (false) {',
    fails: 'hands a second instance’s link to the first, whose window comes to the front',
  },
  {
    mistake: 'a link of macOS is left to the system',
    find: '\t\t\tevent.preventDefault();\n\t\t\theard(url);',
    instead: '\t\t\theard(url);',
    fails: 'follows a link from outside, and refuses one that is none of ours',
  },
  {
    mistake: 'the window’s place is forgotten',
    find: 'opened.on("close", () => state.change({',
    instead: 'opened.on("close", () => ({',
    fails: 'loses nothing when it is quit under load, and opens where it stood',
  },
  { mistake: 'it never keeps running', find: '!keepRunning && platform', instead: 'platform', fails: WINDOW },
  {
    mistake: 'Electron ends it with its window',
    find: 'app.on("window-all-closed"',
    instead: 'app.on("window-all-close"',
    fails: WINDOW,
  },
  {
    mistake: 'the preload script is elsewhere',
    find: 'out/preload/preload.cjs',
    instead: 'out/preload/none.cjs',
    fails: 'gives the page its preload script’s one object, and nothing of Node',
  },
  {
    mistake: 'macOS is believed before it was asked',
    find: 'const thumbnailSize = pictureSize(screen.getAllDisplays());',
    instead:
      'if (systemPreferences.getMediaAccessStatus("screen") === "denied") throw new Error("denied");\n\t\t\tconst thumbnailSize = pictureSize(screen.getAllDisplays());',
    fails: 'has macOS ask for the screen, and says what to do after a no',
  },
  {
    mistake: 'who asks while it closes gets nothing',
    find: 'if (!startsAgain) parts.startAgain',
    instead: 'if (false) parts.startAgain',
    fails: 'opens again for whoever asks for it while it closes',
  },
]
