import type { OptionTable } from '../options.ts'

/** Options common to `serve` and `start`. */
export const benchOptions = {
  host: { value: 'ADDR', many: true, help: 'Listen on this address instead of 127.0.0.1 and ::1.' },
  'allow-host': {
    value: 'NAME',
    many: true,
    help: 'Another name, such as the one of a container, under which others reach the bench; NAME:PORT where the port differs.',
  },
  port: { value: 'PORT', help: 'Default 7420; 0 takes a free one.' },
  prefix: { value: '/PATH', help: 'The fixed path of base_url; default /fido.' },
  'public-url': { value: 'URL', help: 'The origin under which a proxy makes the bench known.' },
  data: { value: 'DIR', not: ['memory'], help: 'Keep everything in this directory.' },
  store: {
    value: 'URL',
    secret: true,
    not: ['memory'],
    help: 'Keep what the service stores in a PostgreSQL database: postgres://USER:PASSWORD@HOST/DATABASE. --data then keeps the phones and the events.',
  },
  memory: { not: ['data', 'store'], help: 'Keep everything in memory.' },
  config: {
    value: 'FILE',
    help: 'RPs, keys, phones, profile, clock, seed and allowed hosts in one YAML or JSON file.',
  },
  profile: { value: 'FILE', help: 'Settings of the profile that differ from the defaults, as YAML or JSON.' },
  seed: { value: 'N', help: 'Makes ids, keys and challenges repeat from run to run.' },
  'rp-id': { value: 'ID', help: 'The RP ID of the first RP; default localhost.' },
  origin: {
    value: 'URL',
    many: true,
    help: 'An origin of the first RP; default the address of the bench, or https:// and the RP ID.',
  },
  'access-key': { value: 'ID:SECRET', secret: true, help: 'The access key of the first RP; one is drawn when absent.' },
  token: {
    value: 'TOKEN',
    secret: true,
    help: 'The token of the control interface, at least 24 characters; one is drawn when absent.',
  },
} as const satisfies OptionTable

export const serveOptions = {
  ...benchOptions,
  role: {
    value: 'ROLE',
    help: 'all, the default; service: only the RP and app interfaces, beside other processes on the same --store; bench: everything else, with --service-url.',
  },
  'service-url': {
    value: 'URL',
    help: 'With --role bench: the origin of the service processes, or of the balancer before them.',
  },
  open: { help: 'Open the page in the default browser.' },
  tls: {
    not: ['tls-cert', 'tls-key'],
    help: 'Speak https, with a certificate of a CA that is made for it; --data keeps that CA.',
  },
  'tls-cert': { value: 'FILE', not: ['tls'], help: 'Speak https with this certificate chain, PEM.' },
  'tls-key': { value: 'FILE', not: ['tls'], help: 'The private key of --tls-cert, PEM.' },
  'tls-ca-out': {
    value: 'FILE',
    many: true,
    help: 'Write the CA of --tls to this file: as PEM, or for Java as PKCS12 when its name ends in .p12.',
  },
  json: { help: 'Once it accepts requests, print one line of JSON with all addresses and keys.' },
  'until-input-ends': {
    help: 'End when standard input ends, as it does when the program that started this one is gone.',
  },
  trace: {
    value: 'PATH',
    help: 'Write what happens to PATH as it happens: a file of the workspace main where it ends in .handset, else a folder with a file for each workspace.',
  },
  'trace-limit': {
    value: 'MIB',
    help: 'How large the files of --trace get together; the oldest go first; default 256.',
  },
  'keep-events': {
    value: 'N',
    help: 'How many events of a workspace the bench keeps; default 400000, in at most 256 MiB of memory. More take more in proportion, on disk as well.',
  },
  drain: {
    value: 'SECONDS',
    help: 'On SIGTERM let /readyz answer 503 for so long before the end, while requests are answered; default 0.',
  },
  log: { value: 'FORM', help: 'The log on stderr: text, the default; json, one object for each line; or off.' },
  'log-level': {
    value: 'LEVEL',
    not: ['verbose'],
    help: 'error, warn (the default), info, which tells of each request, or debug.',
  },
  verbose: { not: ['log-level'], help: 'The same as --log-level info.' },
  'metrics-token': {
    value: 'TOKEN',
    secret: true,
    help: 'With it Prometheus may read /metrics, and nothing else; the token of the control interface does as well.',
  },
} as const satisfies OptionTable

export const startOptions = {
  ...benchOptions,
  'no-window': { help: 'Only print the address.' },
} as const satisfies OptionTable

export const proxyOptions = {
  target: { value: 'URL', help: 'The base_url of the service to which calls are passed on, with its path.' },
  'app-url': { value: 'URL', help: 'Its app_url, where it has phones of ours.' },
  'access-key': {
    value: 'ID:SECRET',
    secret: true,
    help: 'The access key of your RP there: refused signatures are explained with it, and requests signed anew for the other host.',
  },
  replay: { value: 'FILE', help: 'A trace: what it has an answer to is answered from it, and not passed on.' },
  profile: {
    value: 'FILE',
    help: 'How the service is set up, where that differs from the defaults of docs/profile.md.',
  },
  ca: { value: 'FILE', help: 'The certificates to trust, PEM, when the service speaks https.' },
  patience: { value: 'SECONDS', help: 'How long an answer may take; default 30.' },
  host: benchOptions.host,
  'allow-host': benchOptions['allow-host'],
  port: benchOptions.port,
  token: benchOptions.token,
  trace: { value: 'PATH', help: 'Write what passes to PATH as it happens, as handset serve --trace does.' },
  json: { help: 'Once it accepts requests, print one line of JSON with all addresses.' },
} as const satisfies OptionTable
