import type { OptionTable } from '../options.ts'
import { findBenchOptions } from './running-bench-options.ts'

export const runOptions = {
  filter: { value: 'TEXT', help: 'Only those whose name or file holds this text, or fits /a pattern/.' },
  tag: { value: 'TAG', many: true, help: 'Only those with this tag.' },
  parallel: { value: 'N', help: 'How many run at a time, each in its own workspace; default 1.' },
  shard: { value: 'I/N', help: 'Only the part I of N, to divide a run among machines.' },
  seed: { value: 'N', help: 'Makes the run repeat: same ids, keys and challenges, on clocks that stand.' },
  retries: { value: 'N', help: 'How often one that failed is tried again; one that then passes is flaky.' },
  repeat: { value: 'N', help: 'How often each runs, each time with other values.' },
  shuffle: { help: 'In an order drawn from the seed.' },
  'last-failed': { not: ['replay'], help: 'Only those that failed when they were last played with this --out.' },
  replay: { value: 'ID', help: 'Only the scenario with this ID, as a report names it, with the same values.' },
  watch: { not: ['replay'], help: 'Run again whenever one of the files changes.' },
  attach: { not: ['port'], help: 'Run on a bench that runs already, named by --control-url or --data.' },
  ...findBenchOptions,
  report: { value: 'KIND', many: true, help: 'Write a report: html, junit, json or github; several with commas.' },
  trace: {
    value: 'WHEN',
    help: 'Keep traces for handset show: on, failure or off; default failure with --report or --out, else off.',
  },
  out: { value: 'DIR', help: 'Where reports and traces go; default handset-results.' },
  port: { value: 'PORT', not: ['attach'], help: 'The port of the service during the run; default a free one.' },
  json: { help: 'Print one line of JSON for each step and each scenario.' },
} as const satisfies OptionTable

export const loadOptions = {
  users: { value: 'N', help: 'How many users there are, each registered with a phone before it begins; default 100.' },
  rate: { value: 'R', help: 'How many ceremonies begin each second, whatever becomes of those before; default 10.' },
  duration: { value: 'TIME', help: 'For how long they begin: 30s, 5m, 1h; default 30s.' },
  mix: { value: 'PARTS', help: 'In which proportion, such as register=1,auth=9; default auth=1.' },
  push: { help: 'Sign in by push instead of by QR code.' },
  arrivals: { value: 'KIND', help: 'poisson, the default: at random; fixed: at equal distances.' },
  seed: { value: 'N', help: 'The same arrivals again.' },
  connections: { value: 'N', help: 'How many connections to each interface are open at most; default 256.' },
  'base-url': { value: 'URL', not: ['attach'], help: 'Load the service whose base_url this is; --access-key signs.' },
  'app-url': { value: 'URL', not: ['attach'], help: 'Its app_url; default /app beside --base-url.' },
  'rp-id': { value: 'ID', not: ['attach'], help: 'Only if the access key belongs to the RP with this RP ID.' },
  'access-key': { value: 'ID:SECRET', secret: true, not: ['attach'], help: 'The access key that signs.' },
  attach: {
    not: ['base-url', 'app-url', 'rp-id', 'access-key'],
    help: 'Load a bench that runs already, named by --control-url or --data, in a workspace of its own.',
  },
  ...findBenchOptions,
  ca: { value: 'FILE', help: 'The certificates to trust, PEM, when what is loaded speaks https.' },
  'yes-this-host': {
    value: 'NAME',
    help: 'Load a service that is not on this machine: repeat the name of its host. Only with the consent of those who run it.',
  },
  report: { value: 'KIND', many: true, help: 'Write a report: html or json; several with commas.' },
  out: { value: 'DIR', help: 'Where reports go; default handset-results.' },
  json: { help: 'Print the report as one line of JSON, and nothing else.' },
} as const satisfies OptionTable

export const suiteOptions = {
  config: { value: 'FILE', help: 'How the RP is spoken to, as YAML or JSON.' },
  init: {
    value: 'URL',
    not: ['fault', 'story', 'report', 'json', 'at-least'],
    help: 'Open an RP that runs, register a user and sign in, and write how that is done to --config; default rp-suite.yaml.',
  },
  fault: { value: 'NAME', many: true, help: 'Only this fault or check.' },
  'at-least': { value: 'N', help: 'Exit with code 3 where fewer stories could be tried.' },
  story: { value: 'NAME', many: true, help: 'Only this story, such as registration-rejected.' },
  attach: { not: ['port', 'access-key'], help: 'Use a bench that runs already, named by --control-url or --data.' },
  ...findBenchOptions,
  port: { value: 'PORT', not: ['attach'], help: 'The port of the service during the walk; default a free one.' },
  'access-key': {
    value: 'ID:SECRET',
    secret: true,
    not: ['attach'],
    help: 'The access key with which the RP signs; one is drawn when absent.',
  },
  report: { value: 'KIND', many: true, help: 'Write a report: html, junit or json; several with commas.' },
  out: { value: 'DIR', help: 'Where reports go; default handset-results.' },
  json: { help: 'Print the findings as one JSON object.' },
} as const satisfies OptionTable

export const checkOptions = {
  'base-url': { value: 'URL', help: 'The base_url of the service, with its path.' },
  'access-key': { value: 'ID:SECRET', secret: true, help: 'The access key of an RP there.' },
  'other-access-key': {
    value: 'ID:SECRET',
    secret: true,
    help: 'The access key of another RP, to see that neither sees what the other has.',
  },
  'app-url': { value: 'URL', not: ['by-hand'], help: 'Its app_url, where our phones answer.' },
  'by-hand': { not: ['app-url', 'parallel'], help: 'Shows codes and waits for a person with a real phone.' },
  profile: { value: 'FILE', help: 'How it is set up, where that differs from the defaults of docs/profile.md.' },
  expected: { value: 'FILE', help: 'Cases that may fail, each with its reason, as YAML or JSON: case-id: reason.' },
  case: { value: 'ID', many: true, help: 'Only this case.' },
  list: { help: 'Only list the cases, each with its paragraph.' },
  slow: { help: 'Also the cases that wait until a message expires.' },
  parallel: { value: 'N', not: ['by-hand'], help: 'How many cases are played at a time; default 4.' },
  ca: { value: 'FILE', help: 'The certificates to trust, PEM, when the service speaks https.' },
  report: { value: 'KIND', many: true, help: 'Write a report: html, junit or json; several with commas.' },
  out: { value: 'DIR', help: 'Where reports go; default handset-results.' },
  record: { value: 'FILE', not: ['by-hand'], help: 'Keep what it answered, for handset parity.' },
  json: { help: 'Print the report as one line of JSON, and nothing else.' },
} as const satisfies OptionTable

export const parityOptions = {
  out: { value: 'DIR', help: 'Where the settings go; default handset-results.' },
  parallel: { value: 'N', help: 'How many cases are played at a time; default 4.' },
  json: { help: 'Print the report as one line of JSON, and nothing else.' },
} as const satisfies OptionTable
