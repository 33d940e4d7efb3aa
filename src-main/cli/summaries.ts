import type { CommandName } from './options.ts'

/** One line for each command, shown in the overview and above its help. */
export const SUMMARIES = {
  start: 'Starts everything and opens a window where there can be one.',
  desktop: 'Starts the desktop program; downloads Electron if it is missing.',
  serve: 'Starts the service, the phones and the page without a window.',
  open: 'Opens the page of a running bench.',
  token: 'Makes, lists and revokes tokens that are limited to workspaces.',
  record: 'Makes a scenario of what happens in a workspace of a running bench.',
  backup: 'Copies a workspace of a running bench to a file.',
  restore: 'Restores a workspace from a backup to a running bench.',
  admin: 'Brings a data directory or database up to this program’s version.',
  run: 'Runs scenarios: simulated RPs and phones against the service.',
  load: 'Measures sign-ins that arrive at a rate: latencies and percentiles.',
  suite: 'Tests your RP against the faults of the service.',
  check: 'Holds a service, yours or another, against the document.',
  parity: 'Tells how a service that was checked differs from the bench.',
  proxy: 'Stands between an RP and a service: shows, explains, breaks, replays.',
  show: 'Shows a trace that a run, a test or the page saved.',
  why: 'Tells why the last request was refused or the last sign-in failed.',
  mcp: 'Gives the phones to a program that tests, by the Model Context Protocol.',
  inspect: 'Tells what something is, what it says, and whether it holds.',
  sign: 'Signs one request as an RP does, and prints it. Nothing is sent.',
  faults: 'Lists the faults that a phone can commit.',
} as const satisfies Readonly<Record<CommandName, string>>
