import type { OptionTable } from '../options.ts'

/** Which of the benches that run. */
export const findBenchOptions = {
  data: { value: 'DIR', not: ['control-url'], help: 'The data directory of the bench; default that of handset start.' },
  'control-url': { value: 'URL', not: ['data'], help: 'The control_url of a bench with another directory, or none.' },
  token: { value: 'TOKEN', secret: true, help: 'The token that belongs to --control-url.' },
  ca: { value: 'FILE', help: 'The certificates to trust, PEM, when the bench of --control-url speaks https.' },
} as const satisfies OptionTable

export const openOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace whose page it is; default that of --control-url, or main.' },
  print: { help: 'Only print the address.' },
} as const satisfies OptionTable

export const tokenOptions = {
  ...findBenchOptions,
  name: { value: 'NAME', help: 'new: what the token is for.' },
  workspace: { value: 'ID', many: true, help: 'new: a workspace that the token sees; several with commas.' },
  'may-open': { value: 'N', help: 'new: how many workspaces of its own it may have open; default 0.' },
  'most-phones': { value: 'N', help: 'new: how many phones a workspace that it opens may have.' },
  'most-credentials': { value: 'N', help: 'new: how many credentials.' },
  'most-messages': { value: 'N', help: 'new: how many messages under way.' },
  'reveal-secrets': { help: 'new: it may read access keys and export workspaces; each time is an event.' },
  json: { help: 'Print JSON.' },
} as const satisfies OptionTable

export const recordOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace that is recorded; default that of --control-url, or main.' },
  out: { value: 'FILE', help: 'Where the scenario goes; printed when absent.' },
  from: {
    value: 'WHEN',
    help: 'Where it begins: now, start (all that is kept) or the number of an event; default now.',
  },
  until: {
    value: 'WHEN',
    help: 'When it ends: now, after 30s, or at the first event like {kind: delivery}; default with Ctrl-C.',
  },
  name: { value: 'TEXT', help: 'What the scenario is called.' },
} as const satisfies OptionTable

export const whyOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace; default that of --control-url, or main.' },
  follow: { help: 'Tell each failure as it comes, until Ctrl-C.' },
} as const satisfies OptionTable

export const backupOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace; default that of --control-url, or main.' },
  json: { help: 'Print one line of JSON.' },
} as const satisfies OptionTable

export const restoreOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'Under this id; default the one it had.' },
  replace: { help: 'Replace the workspace if it is there.' },
  json: { help: 'Print one line of JSON.' },
} as const satisfies OptionTable

export const adminOptions = {
  data: { value: 'DIR', not: ['store'], help: 'This data directory, which no bench may be using.' },
  store: { value: 'URL', secret: true, not: ['data'], help: 'This PostgreSQL database, as for handset serve.' },
  'dry-run': { help: 'Only show the versions and what would be applied.' },
  json: { help: 'Print one line of JSON.' },
} as const satisfies OptionTable

export const mcpOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace to work in; default that of --control-url, or main.' },
  'allow-exec': { help: 'Let the tool run start programs, open pages and call addresses, as scenarios may.' },
} as const satisfies OptionTable
