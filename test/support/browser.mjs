// @ts-check
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

// The one without windows comes first: it needs half the processor time of the others.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'chrome.exe', 'msedge.exe']

const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => {
    const base = process.env[name]
    return base === undefined
      ? []
      : [join(base, 'Google/Chrome/Application/chrome.exe'), join(base, 'Microsoft/Edge/Application/msedge.exe')]
  }),
]

const isExecutable = (/** @type {string} */ path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const everywhere = () => {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...onPath, ...PLACES]
}

/** A Chromium, Chrome or Edge that is installed; HANDSET_BROWSER names another one. */
export const findBrowser = () => {
  const named = process.env['HANDSET_BROWSER']
  if (named !== undefined) return isExecutable(named) ? named : undefined
  return everywhere().find(isExecutable)
}

/** On a Debian machine, as root, a missing browser is installed; anywhere else it is only missed. */
export const findOrInstallBrowser = () => {
  const found = findBrowser()
  if (found !== undefined || process.platform !== 'linux' || process.getuid?.() !== 0) return found
  console.log('No browser found: installing Debian’s chromium-headless-shell with apt-get.')
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  const install = (/** @type {string[]} */ ...names) => run('install', '-y', '--no-install-recommends', ...names).status === 0
  run('update')
  // Releases before Debian 12 have only the whole browser.
  if (!install('chromium-headless-shell', 'fonts-dejavu-core')) install('chromium', 'fonts-dejavu-core')
  return findBrowser()
}
