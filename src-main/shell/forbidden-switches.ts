import { texts } from './texts.ts'

/** Switches of Chromium that would open a packed program to others, and what a person is told about each. */
export const FORBIDDEN = {
  'no-sandbox': 'unsandboxed',
  'disable-web-security': 'unguarded',
  'remote-debugging-port': 'unguarded',
  'remote-debugging-pipe': 'unguarded',
} as const

/** Why the program does not start with the switches it was given. */
export const forbiddenSwitch = (hasSwitch: (name: string) => boolean): string | undefined => {
  const [, why] = Object.entries(FORBIDDEN).find(([name]) => hasSwitch(name)) ?? []
  return why === undefined ? undefined : texts[why]
}
