/** Help, parsing and error messages are made from the table of options. */
export type Option = {
  /** Placeholder for its value in the help; an option without one is a switch. */
  readonly value?: string
  readonly whole?: WholeRange
  /** Its default, if it is a text; that of a number is in `whole`. */
  readonly usual?: string
  readonly many?: true
  /** One value may hold several, separated by commas. */
  readonly commas?: true
  /** Its letter: `-f` for `--filter`. */
  readonly short?: string
  /** The value may also come from a file. */
  readonly secret?: true
  /** Options it cannot be combined with. */
  readonly not?: readonly string[]
  readonly help: string
}

export type WholeRange = { readonly least: number; readonly most: number; readonly usual?: number }

export type OptionTable = Readonly<Record<string, Option>>

type Usual = { readonly whole: { readonly usual: number } } | { readonly usual: string }

export type ParsedOptions<T extends OptionTable> = {
  readonly [K in keyof T as T[K] extends Usual ? K : never]: T[K] extends { readonly whole: WholeRange }
    ? number
    : string
} & {
  readonly [K in keyof T as T[K] extends Usual ? never : K]?: T[K] extends { readonly many: true }
    ? readonly string[]
    : T[K] extends { readonly whole: WholeRange }
      ? number
      : T[K] extends { readonly value: string }
        ? string
        : true
}

/** Every help ends with a full stop. */
export const describeOption = (option: Option): string => {
  const usual = option.usual ?? option.whole?.usual
  const more = usual === undefined ? [] : [`default ${usual}`]
  return `${[option.help.slice(0, -1), ...(option.commas ? ['several with commas'] : []), ...more].join('; ')}.`
}

const PORT = { least: 0, most: 65_535 } as const
const SEED = { least: 0, most: Number.MAX_SAFE_INTEGER } as const

export const benchOptions = {
  host: { value: 'ADDR', many: true, help: 'Listen on this address instead of 127.0.0.1 and ::1.' },
  'allow-host': {
    value: 'NAME',
    many: true,
    help: 'Another name, such as the one of a container, under which others reach the bench; NAME:PORT where the port differs.',
  },
  port: { value: 'PORT', whole: { ...PORT, usual: 7420 }, short: 'p', help: 'Where it listens; 0 takes a free one.' },
  prefix: { value: '/PATH', usual: '/fido', help: 'The fixed path of base_url.' },
  'public-url': { value: 'URL', help: 'The origin under which a proxy makes the bench known.' },
  data: { value: 'DIR', short: 'd', not: ['memory'], help: 'Keep everything in this directory.' },
  store: {
    value: 'URL',
    secret: true,
    not: ['memory'],
    help: 'Keep what the service stores in a PostgreSQL database: postgres://USER:PASSWORD@HOST/DATABASE. --data then keeps the phones and the events.',
  },
  memory: { not: ['data', 'store'], help: 'Keep everything in memory.' },
  config: {
    value: 'FILE',
    help: 'RPs, keys, phones, profile, clock, seed and allowed hosts in one YAML or JSON file; for serve and start, the nearest handset.config.yaml when absent.',
  },
  profile: { value: 'FILE', help: 'Settings of the profile that differ from the defaults, as YAML or JSON.' },
  mds: {
    value: 'FILE',
    help: 'A signed list of authenticator models, as FIDO’s Metadata Service has it: under the profile’s attestation: require-trusted, its roots are trusted and revoked models refused.',
  },
  'mds-root': { value: 'FILE', help: 'The certificates to trust for the signature of --mds, PEM.' },
  seed: { value: 'N', whole: SEED, help: 'Makes ids, keys and challenges repeat from run to run.' },
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
    help: 'End when standard input ends, as it does when the program that started this one is gone. It does not look for handset.config.yaml.',
  },
  trace: {
    value: 'PATH',
    help: 'Write what happens to PATH as it happens: a file of the workspace main where it ends in .handset, else a folder with a file for each workspace.',
  },
  'trace-limit': {
    value: 'MIB',
    whole: { least: 1, most: 1024 * 1024, usual: 256 },
    help: 'How large the files of --trace get together; the oldest go first.',
  },
  'keep-events': {
    value: 'N',
    whole: { least: 1_000, most: 10_000_000 },
    help: 'How many events of a workspace the bench keeps; default 400000, in at most 256 MiB of memory. More take more in proportion, on disk as well.',
  },
  drain: {
    value: 'SECONDS',
    whole: { least: 0, most: 3600, usual: 0 },
    help: 'On SIGTERM let /readyz answer 503 for so long before the end, while requests are answered.',
  },
  log: { value: 'FORM', usual: 'text', help: 'The log on stderr: text; json, one object for each line; or off.' },
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
  patience: { value: 'SECONDS', whole: { least: 1, most: 600, usual: 30 }, help: 'How long an answer may take.' },
  host: benchOptions.host,
  'allow-host': benchOptions['allow-host'],
  port: benchOptions.port,
  token: benchOptions.token,
  trace: { value: 'PATH', help: 'Write what passes to PATH as it happens, as handset serve --trace does.' },
  json: { help: 'Once it accepts requests, print one line of JSON with all addresses.' },
} as const satisfies OptionTable

export const findBenchOptions = {
  data: {
    value: 'DIR',
    short: 'd',
    not: ['control-url'],
    help: 'The data directory of the bench; default that of handset start.',
  },
  'control-url': { value: 'URL', not: ['data'], help: 'The control_url of a bench with another directory, or none.' },
  token: { value: 'TOKEN', secret: true, help: 'The token that belongs to --control-url.' },
  ca: { value: 'FILE', help: 'The certificates to trust, PEM, when the bench of --control-url speaks https.' },
} as const satisfies OptionTable

export const openOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace whose page it is; default that of --control-url, or main.' },
  print: { help: 'Only print the address.' },
} as const satisfies OptionTable

const QUOTA = { least: 0, most: 1_000_000_000 } as const

export const tokenOptions = {
  ...findBenchOptions,
  name: { value: 'NAME', help: 'new: what the token is for.' },
  workspace: { value: 'ID', many: true, commas: true, help: 'new: a workspace that the token sees.' },
  'may-open': {
    value: 'N',
    whole: { ...QUOTA, usual: 0 },
    help: 'new: how many workspaces of its own it may have open.',
  },
  'most-phones': { value: 'N', whole: QUOTA, help: 'new: how many phones a workspace that it opens may have.' },
  'most-credentials': { value: 'N', whole: QUOTA, help: 'new: how many credentials.' },
  'most-messages': { value: 'N', whole: QUOTA, help: 'new: how many messages under way.' },
  'reveal-secrets': { help: 'new: it may read access keys and export workspaces; each time is an event.' },
  json: { help: 'Print JSON.' },
} as const satisfies OptionTable

export const recordOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace that is recorded; default that of --control-url, or main.' },
  out: { value: 'FILE', short: 'o', help: 'Where the scenario goes; printed when absent.' },
  from: {
    value: 'WHEN',
    usual: 'now',
    help: 'Where it begins: now, start (all that is kept) or the number of an event.',
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
  data: { value: 'DIR', short: 'd', not: ['store'], help: 'This data directory, which no bench may be using.' },
  store: { value: 'URL', secret: true, not: ['data'], help: 'This PostgreSQL database, as for handset serve.' },
  'dry-run': { help: 'Only show the versions and what would be applied.' },
  json: { help: 'Print one line of JSON.' },
} as const satisfies OptionTable

export const mcpOptions = {
  ...findBenchOptions,
  workspace: { value: 'ID', help: 'The workspace to work in; default that of --control-url, or main.' },
  'allow-exec': { help: 'Let the tool run start programs, open pages and call addresses, as scenarios may.' },
} as const satisfies OptionTable

export const RESULTS = { value: 'DIR', short: 'o', usual: 'handset-results' } as const

export const runOptions = {
  filter: { value: 'TEXT', short: 'f', help: 'Only those whose name or file holds this text, or fits /a pattern/.' },
  exclude: { value: 'TEXT', help: 'Not those whose name or file holds this text, or fits /a pattern/.' },
  tag: { value: 'TAG', many: true, commas: true, help: 'Only those with this tag.' },
  parallel: {
    value: 'N',
    whole: { least: 1, most: 64, usual: 1 },
    help: 'How many run at a time, each in its own workspace.',
  },
  shard: { value: 'I/N', help: 'Only the part I of N, to divide a run among machines.' },
  seed: { value: 'N', whole: SEED, help: 'Makes the run repeat: same ids, keys and challenges, on clocks that stand.' },
  retries: {
    value: 'N',
    whole: { least: 0, most: 100, usual: 0 },
    help: 'How often one that failed is tried again; one that then passes is flaky.',
  },
  repeat: {
    value: 'N',
    whole: { least: 1, most: 10_000, usual: 1 },
    help: 'How often each runs, each time with other values.',
  },
  shuffle: { help: 'In an order drawn from the seed.' },
  'last-failed': { not: ['replay'], help: 'Only those that failed when they were last played with this --out.' },
  replay: { value: 'ID', help: 'Only the scenario with this ID, as a report names it, with the same values.' },
  'max-failures': { value: 'N', whole: { least: 1, most: 1_000_000 }, help: 'Stop when so many have failed.' },
  timeout: {
    value: 'TIME',
    help: 'Stop the whole run after this time: 90s, 10m. A run that was stopped so has failed.',
  },
  list: { not: ['watch'], help: 'Only list what would be played.' },
  watch: {
    not: ['replay'],
    help: 'Run again whenever a scenario changes, or a file that it includes or starts; if it runs, after it has ended.',
  },
  attach: { not: ['port'], help: 'Run on a bench that runs already, named by --control-url or --data.' },
  ...findBenchOptions,
  report: { value: 'KIND', many: true, commas: true, short: 'r', help: 'Write a report: html, junit, json or github.' },
  trace: {
    value: 'WHEN',
    help: 'Keep traces for handset show: on, failure or off; default failure with --report or --out, else off.',
  },
  // Without a default: traces are kept only if it is given.
  out: { value: 'DIR', short: 'o', help: `Where reports and traces go; default ${RESULTS.usual}.` },
  port: {
    value: 'PORT',
    whole: { ...PORT, usual: 0 },
    short: 'p',
    not: ['attach'],
    help: 'The port of the service during the run; 0 takes a free one.',
  },
  json: { help: 'Print one line of JSON for each step and each scenario.' },
} as const satisfies OptionTable

export const loadOptions = {
  users: {
    value: 'N',
    whole: { least: 1, most: 100_000, usual: 100 },
    help: 'How many users there are, each registered with a phone before it begins.',
  },
  rate: { value: 'R', usual: '10', help: 'How many ceremonies begin each second, whatever becomes of those before.' },
  duration: { value: 'TIME', usual: '30s', help: 'For how long they begin: 30s, 5m, 1h.' },
  mix: { value: 'PARTS', usual: 'auth=1', help: 'In which proportion, such as register=1,auth=9.' },
  push: { help: 'Sign in by push instead of by QR code.' },
  arrivals: { value: 'KIND', usual: 'poisson', help: 'poisson: at random; fixed: at equal distances.' },
  seed: { value: 'N', whole: SEED, help: 'The same arrivals again.' },
  connections: {
    value: 'N',
    whole: { least: 1, most: 10_000, usual: 256 },
    help: 'How many connections to each interface are open at most.',
  },
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
  report: { value: 'KIND', many: true, commas: true, short: 'r', help: 'Write a report: html or json.' },
  out: { ...RESULTS, help: 'Where reports go.' },
  json: { help: 'Print the report as one line of JSON, and nothing else.' },
} as const satisfies OptionTable

export const suiteOptions = {
  config: { value: 'FILE', help: 'How the RP is spoken to, as YAML or JSON.' },
  init: {
    value: 'URL',
    not: ['fault', 'story', 'report', 'json', 'at-least'],
    help: 'Open an RP that runs, register a user and sign in, and write how that is done to --config; default rp-suite.yaml.',
  },
  fault: { value: 'NAME', many: true, commas: true, help: 'Only this fault or check.' },
  'at-least': {
    value: 'N',
    whole: { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 },
    help: 'Exit with code 3 where fewer stories could be tried.',
  },
  story: { value: 'NAME', many: true, commas: true, help: 'Only this story, such as registration-rejected.' },
  attach: { not: ['port', 'access-key'], help: 'Use a bench that runs already, named by --control-url or --data.' },
  ...findBenchOptions,
  port: {
    value: 'PORT',
    whole: { ...PORT, usual: 0 },
    short: 'p',
    not: ['attach'],
    help: 'The port of the service during the walk; 0 takes a free one.',
  },
  'access-key': {
    value: 'ID:SECRET',
    secret: true,
    not: ['attach'],
    help: 'The access key with which the RP signs; one is drawn when absent.',
  },
  report: { value: 'KIND', many: true, commas: true, short: 'r', help: 'Write a report: html, junit or json.' },
  out: { ...RESULTS, help: 'Where reports go.' },
  json: { help: 'Print the findings as one JSON object.' },
} as const satisfies OptionTable

const PARALLEL_CASES = { least: 0, most: 64, usual: 4 } as const

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
  webauthn: {
    not: ['base-url', 'access-key', 'other-access-key', 'app-url', 'by-hand', 'profile', 'slow', 'record'],
    help: 'Any WebAuthn server instead: each mistake of an authenticator, beside its honest twin.',
  },
  'conformance-url': {
    value: 'URL',
    not: ['config'],
    help: 'Where that server has the test API of FIDO’s conformance program.',
  },
  config: { value: 'FILE', not: ['conformance-url'], help: 'How that server is called instead, as YAML or JSON.' },
  init: {
    value: 'URL',
    not: ['conformance-url', 'case', 'report'],
    help: 'Use the page of that server in a browser, and write how it is called to --config; default webauthn.yaml.',
  },
  origin: { value: 'URL', help: 'The origin that it expects; default that of the URL.' },
  policy: {
    value: 'NAME',
    many: true,
    commas: true,
    help: 'A rule that it has, though WebAuthn leaves it open: counters, backup-eligibility, same-origin, trusted-attestation.',
  },
  profile: { value: 'FILE', help: 'How it is set up, where that differs from the defaults of docs/profile.md.' },
  expected: { value: 'FILE', help: 'Cases that may fail, each with its reason, as YAML or JSON: case-id: reason.' },
  case: { value: 'ID', many: true, commas: true, help: 'Only this case.' },
  list: { help: 'Only list the cases, each with its paragraph.' },
  slow: { help: 'Also the cases that wait until a message expires.' },
  parallel: { value: 'N', whole: PARALLEL_CASES, not: ['by-hand'], help: 'How many cases are played at a time.' },
  ca: { value: 'FILE', help: 'The certificates to trust, PEM, when the service speaks https.' },
  report: { value: 'KIND', many: true, commas: true, short: 'r', help: 'Write a report: html, junit or json.' },
  out: { ...RESULTS, help: 'Where reports go.' },
  record: { value: 'FILE', not: ['by-hand'], help: 'Keep what it answered, for handset parity.' },
  json: { help: 'Print the report as one line of JSON, and nothing else.' },
} as const satisfies OptionTable

export const parityOptions = {
  out: { ...RESULTS, help: 'Where the settings go.' },
  parallel: { value: 'N', whole: PARALLEL_CASES, help: 'How many cases are played at a time.' },
  json: { help: 'Print the report as one line of JSON, and nothing else.' },
} as const satisfies OptionTable

export const showOptions = {
  html: { value: 'FILE', help: 'Write it as one HTML file that needs nothing else.' },
  last: {
    value: 'N',
    whole: { least: 1, most: 1_000_000 },
    not: ['html'],
    help: 'Only the last N events; those before them are not read.',
  },
  har: { value: 'FILE', help: 'Write its exchanges as an HTTP Archive, for browsers and proxies.' },
  json: { help: 'Print one line of JSON for each event.' },
} as const satisfies OptionTable

export const inspectOptions = {
  options: { value: 'FILE', help: 'The WebAuthn options that it answers, as JSON.' },
  origin: { value: 'URL', many: true, help: 'Where the browser should have been.' },
  'rp-id': { value: 'ID', help: 'The RP ID; default that of the options.' },
  'public-key': {
    value: 'KEY',
    help: 'The key that should have signed: COSE, PEM, DER or a certificate, in a file or as base64url or hex.',
  },
  'sign-count': {
    value: 'N',
    whole: { least: 0, most: 2 ** 32 - 1, usual: 0 },
    help: 'The counter that was stored with that key.',
  },
  'access-key': { value: 'ID:SECRET', secret: true, help: 'The access key that should have signed an HTTP request.' },
  roots: { value: 'FILE', help: 'Certificates that are trusted, PEM: an attestation must lead to one of them.' },
  json: { help: 'Print all that was found as one line of JSON.' },
} as const satisfies OptionTable

export const signOptions = {
  'access-key': { value: 'ID:SECRET', secret: true, help: 'The access key that signs.' },
  header: { value: 'NAME:VALUE', many: true, help: 'A further header, which is signed as well.' },
  body: { value: 'TEXT', not: ['body-file'], help: 'The body; none when absent.' },
  'body-file': {
    value: 'FILE',
    not: ['body'],
    help: 'Read the body from this file, byte by byte; - is the standard input.',
  },
  scope: { value: 'IDENTIFIER', help: 'What stands behind fido-server/ in the scope; nothing when absent.' },
  short: { help: 'The short form, which names neither key nor scope.' },
  date: { value: 'YYYYMMDDTHHMMSSZ', help: 'X-Svc-Date; now when absent.' },
  explain: { not: ['curl', 'json'], help: 'Print the canonical request and the string to sign, too.' },
  curl: { not: ['explain', 'json'], help: 'Print it as a command for curl.' },
  json: { not: ['explain', 'curl'], help: 'Print one line of JSON, with everything that was signed.' },
} as const satisfies OptionTable

/** All options. An environment variable is valid even if another command has its option. */
export const OPTIONS = {
  start: startOptions,
  desktop: benchOptions,
  serve: serveOptions,
  open: openOptions,
  token: tokenOptions,
  record: recordOptions,
  backup: backupOptions,
  restore: restoreOptions,
  admin: adminOptions,
  run: runOptions,
  load: loadOptions,
  suite: suiteOptions,
  check: checkOptions,
  parity: parityOptions,
  proxy: proxyOptions,
  show: showOptions,
  why: whyOptions,
  mcp: mcpOptions,
  inspect: inspectOptions,
  sign: signOptions,
  init: { playwright: { help: 'Write a configuration, a first test and a workflow for Playwright instead.' } },
  faults: { json: { help: 'Print the table as JSON.' } },
  completion: {},
} as const satisfies Readonly<Record<string, OptionTable>>

export type CommandName = keyof typeof OPTIONS
