/** Help, parsing and error messages are made from the table of options. */
export type Option = {
  /** Placeholder for its value in the help; an option without one is a switch. */
  readonly value?: string
  readonly whole?: WholeRange
  /** Default value. */
  readonly usual?: string | number
  readonly many?: true
  /** One argument may contain several values, separated by commas. */
  readonly commas?: true
  /** One-letter form: `-f` for `--filter`. */
  readonly short?: string
  /** The value may also come from a file. */
  readonly secret?: true
  /** Options it cannot be combined with. */
  readonly not?: readonly string[]
  readonly help: string
}

export type WholeRange = { readonly least: number; readonly most: number }

export type OptionTable = Readonly<Record<string, Option>>

type Usual = { readonly usual: string | number }

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
export const describeOption = ({ help, commas, usual }: Option): string => {
  const more = usual === undefined ? [] : [`default ${usual}`]
  return `${[help.slice(0, -1), ...(commas ? ['several with commas'] : []), ...more].join('; ')}.`
}

/** Makers of options from a placeholder and a help text. `many` may be repeated; `list` also takes commas. */
const row =
  <const K extends Partial<Option>>(kind: K) =>
  (texts: TemplateStringsArray, ...values: readonly string[]) => {
    const [value = '', ...help] = String.raw(texts, ...values).split(' ')
    return { value, help: help.join(' '), ...kind }
  }

const text = row({})
const secret = row({ secret: true })
const many = row({ many: true })
const list = row({ many: true, commas: true })
const whole = (least: number, most: number) => row({ whole: { least, most } })

const port = whole(0, 65_535)
const RUN_PORT = { usual: 0, short: 'p', not: ['attach'] } as const
const seed = whole(0, Number.MAX_SAFE_INTEGER)

export const benchOptions = {
  host: many`ADDR Listen on this address instead of 127.0.0.1 and ::1.`,
  'allow-host': many`NAME Another name, such as the one of a container, under which others reach the bench; NAME:PORT where the port differs.`,
  port: { ...port`PORT Where it listens; 0 takes a free one.`, usual: 7420, short: 'p' },
  prefix: { ...text`/PATH The fixed path of base_url.`, usual: '/fido' },
  'public-url': text`URL The origin under which a proxy makes the bench known.`,
  data: { ...text`DIR Keep everything in this directory.`, short: 'd', not: ['memory'] },
  store: {
    ...secret`URL Keep what the service stores in a PostgreSQL database: postgres://USER:PASSWORD@HOST/DATABASE. --data then keeps the phones and the events.`,
    not: ['memory'],
  },
  memory: { not: ['data', 'store'], help: 'Keep everything in memory.' },
  config: text`FILE RPs, keys, phones, profile, clock, seed and allowed hosts in one YAML or JSON file; for serve and start, the nearest handset.config.yaml when absent.`,
  profile: text`FILE Settings of the profile that differ from the defaults, as YAML or JSON.`,
  mds: text`FILE A signed list of authenticator models, as FIDO’s Metadata Service has it: under the profile’s attestation: require-trusted, its roots are trusted and revoked models refused.`,
  'mds-root': text`FILE The certificates to trust for the signature of --mds, PEM.`,
  seed: seed`N Makes ids, keys and challenges repeat from run to run.`,
  'rp-id': text`ID The RP ID of the first RP; default localhost.`,
  origin: many`URL An origin of the first RP; default the address of the bench, or https:// and the RP ID.`,
  'access-key': secret`ID:SECRET The access key of the first RP; one is drawn when absent.`,
  token: secret`TOKEN The token of the control interface, at least 24 characters; one is drawn when absent.`,
} as const satisfies OptionTable

const seconds = whole(0, 3600)
const keptEvents = whole(1_000, 10_000_000)

export const serveOptions = {
  ...benchOptions,
  role: text`ROLE all, the default; service: only the RP and app interfaces, beside other processes on the same --store; bench: everything else, with --service-url.`,
  'service-url': text`URL With --role bench: the origin of the service processes, or of the balancer before them.`,
  open: { help: 'Open the page in the default browser.' },
  tls: {
    not: ['tls-cert', 'tls-key'],
    help: 'Speak https, with a certificate of a CA that is made for it; --data keeps that CA.',
  },
  'tls-cert': { ...text`FILE Speak https with this certificate chain, PEM.`, not: ['tls'] },
  'tls-key': { ...text`FILE The private key of --tls-cert, PEM.`, not: ['tls'] },
  'tls-ca-out': many`FILE Write the CA of --tls to this file: as PEM, or for Java as PKCS12 when its name ends in .p12.`,
  json: { help: 'Once it accepts requests, print one line of JSON with all addresses and keys.' },
  'until-input-ends': {
    help: 'End when standard input ends, as it does when the program that started this one is gone. It does not look for handset.config.yaml.',
  },
  trace: text`PATH Write what happens to PATH as it happens: a file of the workspace main where it ends in .handset, else a folder with a file for each workspace.`,
  'trace-limit': {
    ...whole(1, 1024 * 1024)`MIB How large the files of --trace get together; the oldest go first.`,
    usual: 256,
  },
  'keep-events': keptEvents`N How many events of a workspace the bench keeps; default 400000, in at most 256 MiB of memory. More take more in proportion, on disk as well.`,
  drain: {
    ...seconds`SECONDS On SIGTERM let /readyz answer 503 for so long before the end, while requests are answered.`,
    usual: 0,
  },
  log: { ...text`FORM The log on stderr: text; json, one object for each line; or off.`, usual: 'text' },
  'log-level': {
    ...text`LEVEL error, warn (the default), info, which tells of each request, or debug.`,
    not: ['verbose'],
  },
  verbose: { not: ['log-level'], help: 'The same as --log-level info.' },
  'metrics-token': secret`TOKEN With it Prometheus may read /metrics, and nothing else; the token of the control interface does as well.`,
} as const satisfies OptionTable

export const startOptions = {
  ...benchOptions,
  'no-window': { help: 'Only print the address.' },
} as const satisfies OptionTable

export const findBenchOptions = {
  data: {
    ...text`DIR The data directory of the bench; default that of handset start.`,
    short: 'd',
    not: ['control-url'],
  },
  'control-url': { ...text`URL The control_url of a bench with another directory, or none.`, not: ['data'] },
  token: secret`TOKEN The token that belongs to --control-url.`,
  ca: text`FILE The certificates to trust, PEM, when the bench of --control-url speaks https.`,
} as const satisfies OptionTable

const quota = whole(0, 1_000_000_000)

export const RESULTS = { value: 'DIR', short: 'o', usual: 'handset-results' } as const

const parallelCases = { ...whole(0, 64)`N How many cases are played at a time.`, usual: 4 } as const

/** Options of all commands. An environment variable is accepted if any command has its option. */
export const OPTIONS = {
  start: startOptions,
  desktop: benchOptions,
  serve: serveOptions,
  open: {
    ...findBenchOptions,
    workspace: text`ID The workspace whose page it is; default that of --control-url, or main.`,
    print: { help: 'Only print the address.' },
  },
  token: {
    ...findBenchOptions,
    name: text`NAME new: what the token is for.`,
    workspace: list`ID new: a workspace that the token sees.`,
    'may-open': { ...quota`N new: how many workspaces of its own it may have open.`, usual: 0 },
    'most-phones': quota`N new: how many phones a workspace that it opens may have.`,
    'most-credentials': quota`N new: how many credentials.`,
    'most-messages': quota`N new: how many messages under way.`,
    'reveal-secrets': { help: 'new: it may read access keys and export workspaces; each time is an event.' },
    json: { help: 'Print JSON.' },
  },
  record: {
    ...findBenchOptions,
    workspace: text`ID The workspace that is recorded; default that of --control-url, or main.`,
    out: { ...text`FILE Where the scenario goes; printed when absent.`, short: 'o' },
    from: { ...text`WHEN Where it begins: now, start (all that is kept) or the number of an event.`, usual: 'now' },
    until: text`WHEN When it ends: now, after 30s, or at the first event like {kind: delivery}; default with Ctrl-C.`,
    name: text`TEXT What the scenario is called.`,
  },
  backup: {
    ...findBenchOptions,
    workspace: text`ID The workspace; default that of --control-url, or main.`,
    json: { help: 'Print one line of JSON.' },
  },
  restore: {
    ...findBenchOptions,
    workspace: text`ID Under this id; default the one it had.`,
    replace: { help: 'Replace the workspace if it is there.' },
    json: { help: 'Print one line of JSON.' },
  },
  admin: {
    data: { ...text`DIR This data directory, which no bench may be using.`, short: 'd', not: ['store'] },
    store: { ...secret`URL This PostgreSQL database, as for handset serve.`, not: ['data'] },
    'dry-run': { help: 'Only show the versions and what would be applied.' },
    json: { help: 'Print one line of JSON.' },
  },
  run: {
    filter: { ...text`TEXT Only those whose name or file holds this text, or fits /a pattern/.`, short: 'f' },
    exclude: text`TEXT Not those whose name or file holds this text, or fits /a pattern/.`,
    tag: list`TAG Only those with this tag.`,
    parallel: { ...whole(1, 64)`N How many run at a time, each in its own workspace.`, usual: 1 },
    shard: text`I/N Only the part I of N, to divide a run among machines.`,
    seed: seed`N Makes the run repeat: same ids, keys and challenges, on clocks that stand.`,
    retries: { ...whole(0, 100)`N How often one that failed is tried again; one that then passes is flaky.`, usual: 0 },
    repeat: { ...whole(1, 10_000)`N How often each runs, each time with other values.`, usual: 1 },
    shuffle: { help: 'In an order drawn from the seed.' },
    'last-failed': { not: ['replay'], help: 'Only those that failed when they were last played with this --out.' },
    replay: text`ID Only the scenario with this ID, as a report names it, with the same values.`,
    'max-failures': whole(1, 1_000_000)`N Stop when so many have failed.`,
    timeout: text`TIME Stop the whole run after this time: 90s, 10m. A run that was stopped so has failed.`,
    list: { not: ['watch'], help: 'Only list what would be played.' },
    watch: {
      not: ['replay'],
      help: 'Run again whenever a scenario changes, or a file that it includes or starts; if it runs, after it has ended.',
    },
    attach: { not: ['port'], help: 'Run on a bench that runs already, named by --control-url or --data.' },
    ...findBenchOptions,
    report: { ...list`KIND Write a report: html, junit, json or github.`, short: 'r' },
    trace: text`WHEN Keep traces for handset show: on, failure or off; default failure with --report or --out, else off.`,
    // `out` has no default, because the default of `trace` depends on whether `out` is given.
    out: { ...text`DIR Where reports and traces go; default ${RESULTS.usual}.`, short: 'o' },
    port: { ...port`PORT The port of the service during the run; 0 takes a free one.`, ...RUN_PORT },
    json: { help: 'Print one line of JSON for each step and each scenario.' },
  },
  load: {
    users: {
      ...whole(1, 100_000)`N How many users there are, each registered with a phone before it begins.`,
      usual: 100,
    },
    rate: { ...text`R How many ceremonies begin each second, whatever becomes of those before.`, usual: '10' },
    duration: { ...text`TIME For how long they begin: 30s, 5m, 1h.`, usual: '30s' },
    mix: { ...text`PARTS In which proportion, such as register=1,auth=9.`, usual: 'auth=1' },
    push: { help: 'Sign in by push instead of by QR code.' },
    arrivals: { ...text`KIND poisson: at random; fixed: at equal distances.`, usual: 'poisson' },
    seed: seed`N The same arrivals again.`,
    connections: { ...whole(1, 10_000)`N How many connections to each interface are open at most.`, usual: 256 },
    'base-url': { ...text`URL Load the service whose base_url this is; --access-key signs.`, not: ['attach'] },
    'app-url': { ...text`URL Its app_url; default /app beside --base-url.`, not: ['attach'] },
    'rp-id': { ...text`ID Only if the access key belongs to the RP with this RP ID.`, not: ['attach'] },
    'access-key': { ...secret`ID:SECRET The access key that signs.`, not: ['attach'] },
    attach: {
      not: ['base-url', 'app-url', 'rp-id', 'access-key'],
      help: 'Load a bench that runs already, named by --control-url or --data, in a workspace of its own.',
    },
    ...findBenchOptions,
    ca: text`FILE The certificates to trust, PEM, when what is loaded speaks https.`,
    'yes-this-host': text`NAME Load a service that is not on this machine: repeat the name of its host. Only with the consent of those who run it.`,
    report: { ...list`KIND Write a report: html or json.`, short: 'r' },
    out: { ...RESULTS, help: 'Where reports go.' },
    json: { help: 'Print the report as one line of JSON, and nothing else.' },
  },
  suite: {
    config: text`FILE How the RP is spoken to, as YAML or JSON.`,
    init: {
      ...text`URL Open an RP that runs, register a user and sign in, and write how that is done to --config; default rp-suite.yaml.`,
      not: ['fault', 'story', 'report', 'json', 'at-least'],
    },
    fault: list`NAME Only this fault or check.`,
    'at-least': {
      ...whole(0, Number.MAX_SAFE_INTEGER)`N Exit with code 3 where fewer stories could be tried.`,
      usual: 0,
    },
    story: list`NAME Only this story, such as registration-rejected.`,
    attach: { not: ['port', 'access-key'], help: 'Use a bench that runs already, named by --control-url or --data.' },
    ...findBenchOptions,
    port: { ...port`PORT The port of the service during the walk; 0 takes a free one.`, ...RUN_PORT },
    'access-key': {
      ...secret`ID:SECRET The access key with which the RP signs; one is drawn when absent.`,
      not: ['attach'],
    },
    report: { ...list`KIND Write a report: html, junit or json.`, short: 'r' },
    out: { ...RESULTS, help: 'Where reports go.' },
    json: { help: 'Print the findings as one JSON object.' },
  },
  check: {
    'base-url': text`URL The base_url of the service, with its path.`,
    'access-key': secret`ID:SECRET The access key of an RP there.`,
    'other-access-key': secret`ID:SECRET The access key of another RP, to see that neither sees what the other has.`,
    'app-url': { ...text`URL Its app_url, where our phones answer.`, not: ['by-hand'] },
    'by-hand': { not: ['app-url', 'parallel'], help: 'Shows codes and waits for a person with a real phone.' },
    webauthn: {
      not: ['base-url', 'access-key', 'other-access-key', 'app-url', 'by-hand', 'profile', 'slow', 'record'],
      help: 'Any WebAuthn server instead: each mistake of an authenticator, beside its honest twin.',
    },
    'conformance-url': {
      ...text`URL Where that server has the test API of FIDO’s conformance program.`,
      not: ['config'],
    },
    config: { ...text`FILE How that server is called instead, as YAML or JSON.`, not: ['conformance-url'] },
    init: {
      ...text`URL Use the page of that server in a browser, and write how it is called to --config; default webauthn.yaml.`,
      not: ['conformance-url', 'case', 'report'],
    },
    origin: text`URL The origin that it expects; default that of the URL.`,
    policy: list`NAME A rule that it has, though WebAuthn leaves it open: counters, backup-eligibility, same-origin, trusted-attestation.`,
    profile: text`FILE How it is set up, where that differs from the defaults of docs/profile.md.`,
    expected: text`FILE Cases that may fail, each with its reason, as YAML or JSON: case-id: reason.`,
    case: list`ID Only this case.`,
    list: { help: 'Only list the cases, each with its paragraph.' },
    slow: { help: 'Also the cases that wait until a message expires.' },
    parallel: { ...parallelCases, not: ['by-hand'] },
    ca: text`FILE The certificates to trust, PEM, when the service speaks https.`,
    report: { ...list`KIND Write a report: html, junit or json.`, short: 'r' },
    out: { ...RESULTS, help: 'Where reports go.' },
    record: { ...text`FILE Keep what it answered, for handset parity.`, not: ['by-hand'] },
    json: { help: 'Print the report as one line of JSON, and nothing else.' },
  },
  parity: {
    out: { ...RESULTS, help: 'Where the settings go.' },
    parallel: parallelCases,
    json: { help: 'Print the report as one line of JSON, and nothing else.' },
  },
  proxy: {
    target: text`URL The base_url of the service to which calls are passed on, with its path.`,
    'app-url': text`URL Its app_url, where it has phones of ours.`,
    'access-key': secret`ID:SECRET The access key of your RP there: refused signatures are explained with it, and requests signed anew for the other host.`,
    replay: text`FILE A trace: what it has an answer to is answered from it, and not passed on.`,
    profile: text`FILE How the service is set up, where that differs from the defaults of docs/profile.md.`,
    ca: text`FILE The certificates to trust, PEM, when the service speaks https.`,
    patience: { ...whole(1, 600)`SECONDS How long an answer may take.`, usual: 30 },
    host: benchOptions.host,
    'allow-host': benchOptions['allow-host'],
    port: benchOptions.port,
    token: benchOptions.token,
    trace: text`PATH Write what passes to PATH as it happens, as handset serve --trace does.`,
    json: { help: 'Once it accepts requests, print one line of JSON with all addresses.' },
  },
  show: {
    html: text`FILE Write it as one HTML file that needs nothing else.`,
    last: { ...whole(1, 1_000_000)`N Only the last N events; those before them are not read.`, not: ['html'] },
    har: text`FILE Write its exchanges as an HTTP Archive, for browsers and proxies.`,
    json: { help: 'Print one line of JSON for each event.' },
  },
  why: {
    ...findBenchOptions,
    workspace: text`ID The workspace; default that of --control-url, or main.`,
    follow: { help: 'Tell each failure as it comes, until Ctrl-C.' },
  },
  mcp: {
    ...findBenchOptions,
    workspace: text`ID The workspace to work in; default that of --control-url, or main.`,
    'allow-exec': { help: 'Let the tool run start programs, open pages and call addresses, as scenarios may.' },
  },
  inspect: {
    options: text`FILE The WebAuthn options that it answers, as JSON.`,
    origin: many`URL Where the browser should have been.`,
    'rp-id': text`ID The RP ID; default that of the options.`,
    'public-key': text`KEY The key that should have signed: COSE, PEM, DER or a certificate, in a file or as base64url or hex.`,
    'sign-count': { ...whole(0, 2 ** 32 - 1)`N The counter that was stored with that key.`, usual: 0 },
    'access-key': secret`ID:SECRET The access key that should have signed an HTTP request.`,
    roots: text`FILE Certificates that are trusted, PEM: an attestation must lead to one of them.`,
    json: { help: 'Print all that was found as one line of JSON.' },
  },
  sign: {
    'access-key': secret`ID:SECRET The access key that signs.`,
    header: many`NAME:VALUE A further header, which is signed as well.`,
    body: { ...text`TEXT The body; none when absent.`, not: ['body-file'] },
    'body-file': { ...text`FILE Read the body from this file, byte by byte; - is the standard input.`, not: ['body'] },
    scope: text`IDENTIFIER What stands behind fido-server/ in the scope; nothing when absent.`,
    short: { help: 'The short form, which names neither key nor scope.' },
    date: text`YYYYMMDDTHHMMSSZ X-Svc-Date; now when absent.`,
    explain: { not: ['curl', 'json'], help: 'Print the canonical request and the string to sign, too.' },
    curl: { not: ['explain', 'json'], help: 'Print it as a command for curl.' },
    json: { not: ['explain', 'curl'], help: 'Print one line of JSON, with everything that was signed.' },
  },
  init: { playwright: { help: 'Write a configuration, a first test and a workflow for Playwright instead.' } },
  faults: { json: { help: 'Print the table as JSON.' } },
  completion: {},
} as const satisfies Readonly<Record<string, OptionTable>>

export type CommandName = keyof typeof OPTIONS

export type OptionsOf<N extends CommandName> = ParsedOptions<(typeof OPTIONS)[N]>
