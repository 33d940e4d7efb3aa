import { texts } from './texts.ts'

/** Switches of Chromium that would open a packed program to others, and what a person is told about each. */
const FORBIDDEN = {
  'no-sandbox': texts.unsandboxed,
  'disable-web-security': texts.unguarded,
  'remote-debugging-port': texts.unguarded,
  'remote-debugging-pipe': texts.unguarded,
} as const

/** Why the program does not start with the switches it was given. */
export const forbiddenSwitch = (hasSwitch: (name: string) => boolean): string | undefined =>
  Object.entries(FORBIDDEN).find(([name]) => hasSwitch(name))?.[1]
