/**
 * npm run bench:judges: the same honest answers through our judge and through those of other libraries, on one core.
 * `-- --registrations 5000 --sign-ins 20000 --rounds 3`, and `--judge NAME` for some. An answer is judged from the text of its
 * body to the verdict, keys as each library stores them. A judge gets the kinds that it supports; where it refuses one, its
 * figure is the count of refusals. Figures are by processor time, which others on the machine change little.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { KINDS, makeLines } from './judges/ceremonies.ts'
import { ALGORITHMS, type AlgorithmWord, type Kind, type Line, ORIGIN, RP_ID } from './judges/line.ts'
import { head, machineName, median, number, row } from './statistics.ts'

const ROOT = join(import.meta.dirname, '../..')
const SERVERS = join(ROOT, 'test/foreign-servers')
/** For each group of lines: answers verified and refused, the time of both, and the first refusal. */
type Counted = {
  readonly verified: number
  readonly refused: number
  readonly seconds: number
  readonly reason?: string
}
type Outcome = { readonly groups: Readonly<Record<string, Counted>>; readonly rss: number }

type Judge = {
  /** `folder` keeps what is built; `given` are the program's arguments: the file of lines, the origin, the RP ID. */
  readonly command: (folder: string, given: readonly string[]) => readonly string[]
  readonly kinds: readonly Kind[]
  readonly note?: string
}

const kinds = (pattern: RegExp): readonly Kind[] => KINDS.filter((kind) => pattern.test(kind))
const run =
  (program: string, file: string, ...more: readonly string[]): Judge['command'] =>
  (_, given) => [program, ...(program === NODE ? ['--no-warnings'] : []), join(ROOT, 'test', file), ...given, ...more]
const NODE = process.execPath
const PYTHON = '/usr/bin/python3'

const JUDGES: Readonly<Record<string, Judge>> = {
  handset: {
    command: run(NODE, 'benchmarks/judges/handset.ts'),
    kinds: KINDS,
    note: 'as the service calls it: signatures on a thread',
  },
  'handset-at-once': {
    command: run(NODE, 'benchmarks/judges/handset.ts', 'at-once'),
    kinds: KINDS,
    note: 'the same with signatures on the main thread',
  },
  simplewebauthn: { command: run(NODE, 'foreign-servers/simplewebauthn/judge.mjs'), kinds: KINDS },
  'fido2-lib': {
    command: run(NODE, 'foreign-servers/fido2-lib/judge.mjs'),
    kinds: kinds(/^(ES256|RS256) (none|self|packed)|RS256 tpm/),
    note: 'no EdDSA, in a TPM RSA alone',
  },
  'passwordless-id': {
    command: run(NODE, 'foreign-servers/passwordless-id/judge.mjs'),
    kinds: kinds(/^(ES256|RS256)/),
    note: 'no EdDSA; verifies no attestation',
  },
  webauthn4js: { command: run(NODE, 'foreign-servers/webauthn4js/judge.mjs'), kinds: KINDS, note: 'Go as Wasm' },
  'python-fido2': {
    command: run(PYTHON, 'foreign-servers/python-fido2/judge.py'),
    kinds: kinds(/none|self|packed|RS256 tpm/),
    note: 'in a TPM RSA alone',
  },
  'ruby-webauthn': {
    command: run('ruby', 'foreign-servers/ruby-webauthn/judge.rb'),
    kinds: kinds(/^(ES256|RS256) (none|self)/),
    note: 'no EdDSA; certificates of known makers alone',
  },
  'duo-labs-webauthn': {
    command: (folder, given) => {
      const env = { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPATH: '/usr/share/gocode' }
      const program = join(folder, 'duo-labs-webauthn')
      const source = join(SERVERS, 'duo-labs-webauthn/judge/main.go')
      if (!existsSync(program)) execFileSync('go', ['build', '-o', program, source], { env, stdio: 'inherit' })
      return [program, ...given]
    },
    kinds: KINDS,
  },
  'authen-webauthn': {
    command: run('perl', 'foreign-servers/authen-webauthn/judge.pl'),
    kinds: kinds(/^(ES256|RS256) (none|self|packed)/),
    note: 'no EdDSA, no TPM',
  },
  libfido2: {
    command: run(PYTHON, 'foreign-servers/libfido2/judge.py'),
    kinds: kinds(/none|self|packed/),
    note: 'called from Python, which reads client data, JSON and CBOR; in a TPM RS1 alone',
  },
}

const { values } = parseArgs({
  options: {
    registrations: { type: 'string', default: '5000' },
    'sign-ins': { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    judge: { type: 'string', multiple: true, default: [] },
  },
})
const unknown = values.judge.find((name) => !(name in JUDGES))
if (unknown !== undefined) throw new Error(`--judge ${unknown}: there are ${Object.keys(JUDGES).join(', ')}`)

type Server = {
  readonly library: string
  readonly version: readonly string[]
  readonly date: string
  readonly needs: readonly string[]
}
const servers: Readonly<Record<string, Server>> = JSON.parse(readFileSync(join(SERVERS, 'servers.json'), 'utf8'))

const versionOf = ({ library, version: [program = '', ...args], date }: Server): string =>
  `${library} ${execFileSync(program, args, { cwd: ROOT, encoding: 'utf8' }).trim()} (${date})`

const missingOf = (name: string): readonly string[] => {
  const { needs = [], version = [] } = servers[name] ?? {}
  const lacking = needs.filter((debian) => spawnSync('dpkg-query', ['-W', debian]).status !== 0)
  const fromNpm = version.some((word) => word.includes('test/foreign-servers/node_modules'))
  return fromNpm && !existsSync(join(SERVERS, 'node_modules')) ? ['npm ci --prefix test/foreign-servers'] : lacking
}

const here: string[] = []
for (const name of Object.keys(JUDGES)) {
  if (values.judge.length > 0 && !values.judge.includes(name)) continue
  const missing = missingOf(name)
  if (missing.length === 0) here.push(name)
  else if (values.judge.length > 0) throw new Error(`${name} needs ${missing.join(', ')}`)
  else console.error(`${name} is left out: it needs ${missing.join(', ')}`)
}

const ALGORITHM_WORDS = Object.keys(ALGORITHMS) as readonly AlgorithmWord[]
const GROUPS = ['registration', ...ALGORITHM_WORDS] as const
const NONE: Counted = { verified: 0, refused: 0, seconds: 0 }

const folder = mkdtempSync(join(tmpdir(), 'handset-judges-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const began = performance.now()
const lines = await makeLines({ registrations: Number(values.registrations), signIns: Number(values['sign-ins']) })
console.error(`${number(lines.length)} answers made in ${number((performance.now() - began) / 1000, 1)} s`)

/** A tenth of both comes first, unmeasured, so that programs are loaded and compiled. */
const withWarmUp = (given: readonly Line[]): readonly Line[] => {
  const registrations = given.filter(({ group }) => group === 'registration')
  const early = registrations.slice(0, Math.ceil(registrations.length / 10))
  const ids = new Set(early.map(({ id }) => id))
  const signIns = given.filter(({ group, id }) => group !== 'registration' && ids.has(id))
  return [...[...early, ...signIns].map((line) => ({ ...line, warm: true })), ...given]
}

/** The last core that this process may use, where the system can say so. */
const core = /(\d+)\s*$/.exec(spawnSync('taskset', ['-cp', `${process.pid}`], { encoding: 'utf8' }).stdout ?? '')?.[1]
const onOneCore = core === undefined ? [] : ['taskset', '-c', core]

const play = ({ command, kinds }: Judge): Outcome => {
  const file = join(folder, 'lines.jsonl')
  const given = lines.filter(({ kind }) => kinds.includes(kind))
  writeFileSync(
    file,
    withWarmUp(given)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
  const [program = '', ...args] = [...onOneCore, ...command(folder, [file, ORIGIN, RP_ID])]
  const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, 'judges'), PYTHONDONTWRITEBYTECODE: '1' }
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const outcome: Outcome = JSON.parse(execFileSync(program, args, { env, encoding: 'utf8', stdio: [...stdio] }))
  for (const group of GROUPS) {
    const count = given.filter((line) => line.group === group).length
    const { verified, refused } = outcome.groups[group] ?? NONE
    if (verified + refused !== count) throw new Error(`${group}: ${count} given, ${verified + refused} judged`)
  }
  return outcome
}

const outcomes = new Map<string, Outcome[]>(here.map((name) => [name, []]))
const rounds = Number(values.rounds)
for (let round = 0; round < rounds; round++) {
  for (let turn = 0; turn < here.length; turn++) {
    const name = here[(turn + round) % here.length] ?? ''
    const judge = JUDGES[name]
    if (judge === undefined) continue
    const outcome = play(judge)
    outcomes.get(name)?.push(outcome)
    console.error(`${round + 1}/${rounds} ${name}: ${JSON.stringify(outcome)}`)
  }
}

const perSecond = (all: readonly Outcome[], groups: readonly Line['group'][]): string => {
  const sums = all.map((outcome) => {
    const counted = groups.map((group) => outcome.groups[group] ?? NONE)
    const sum = (of: (each: Counted) => number): number => counted.reduce((total, each) => total + of(each), 0)
    return {
      verified: sum((each) => each.verified),
      refused: sum((each) => each.refused),
      seconds: sum((each) => each.seconds),
    }
  })
  const [first = NONE] = sums
  if (first.refused > 0) return `refuses ${number(first.refused)} of ${number(first.refused + first.verified)}`
  return first.verified === 0 ? '–' : number(median(sums.map(({ verified, seconds }) => verified / seconds)))
}

/** `none, self, packed of ES256, RS256; tpm of RS256` */
const kindsText = (some: readonly Kind[]): string => {
  if (some.length === KINDS.length) return 'all kinds'
  const byAttestation = Object.groupBy(some, (kind) => kind.split(' ')[1] ?? '')
  const sides = Object.entries(byAttestation).map(([attestation, of = []]) => ({
    attestation,
    words: of.map((kind) => kind.split(' ')[0]).join(', '),
  }))
  const byWords = Object.groupBy(sides, ({ words }) => words)
  return Object.entries(byWords)
    .map(([words, of = []]) => `${of.map(({ attestation }) => attestation).join(', ')} of ${words}`)
    .join('; ')
}

console.log(`${machineName()}. Median of ${rounds} rounds.\n`)
console.log(head('Verified by a second of a core', 'registrations', ...ALGORITHM_WORDS, 'sign-ins', 'MiB').join('\n'))
for (const [name, all] of outcomes) {
  const sides = [...GROUPS.map((group) => [group]), ALGORITHM_WORDS].map((groups) => perSecond(all, groups))
  console.log(row(name, ...sides, number(median(all.map(({ rss }) => rss / 2 ** 20)))))
}
console.log()
for (const [name, [first]] of outcomes) {
  const { kinds = [], note } = JUDGES[name] ?? {}
  const server = servers[name]
  const judged = GROUPS.map((group) => number(first?.groups[group]?.verified ?? 0)).join(' + ')
  const reasons = Object.values(first?.groups ?? {}).flatMap(({ reason }) => (reason === undefined ? [] : [reason]))
  const parts = [server && versionOf(server), note, kindsText(kinds), `verified ${judged}`, ...new Set(reasons)]
  console.log(`- ${name}: ${parts.filter((part) => part !== undefined).join('; ')}.`)
}
