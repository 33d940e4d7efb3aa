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

/** `folder` keeps what is built; `given` are the program's arguments: the file of lines, the origin, the RP ID. */
type Command = (folder: string, given: readonly string[]) => readonly string[]
type Judge = readonly [command: Command, kinds: readonly Kind[], note?: string]

const [NODE, PYTHON, HANDSET] = [process.execPath, '/usr/bin/python3', '../benchmarks/judges/handset.ts']
const kinds = (pattern: RegExp): readonly Kind[] => KINDS.filter((kind) => pattern.test(kind))
const run =
  (program: string, file: string, ...more: readonly string[]): Command =>
  (_, given) => [program, ...(program === NODE ? ['--no-warnings'] : []), join(SERVERS, file), ...given, ...more]

/** A program of Go, which is built first. */
const runGo = (folder: string, given: readonly string[]): readonly string[] => {
  const env = { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPATH: '/usr/share/gocode' }
  const program = join(folder, 'duo-labs-webauthn')
  const source = join(SERVERS, 'duo-labs-webauthn/judge/main.go')
  if (!existsSync(program)) execFileSync('go', ['build', '-o', program, source], { env, stdio: 'inherit' })
  return [program, ...given]
}

const JUDGES: Readonly<Record<string, Judge>> = {
  handset: [run(NODE, HANDSET), KINDS, 'as the service calls it: signatures on a thread'],
  'handset-at-once': [run(NODE, HANDSET, 'at-once'), KINDS, 'the same with signatures on the main thread'],
  simplewebauthn: [run(NODE, 'simplewebauthn/judge.mjs'), KINDS],
  'fido2-lib': [
    run(NODE, 'fido2-lib/judge.mjs'),
    kinds(/^(ES256|RS256) (none|self|packed)|RS256 tpm/),
    'no EdDSA, in a TPM RSA alone',
  ],
  'passwordless-id': [
    run(NODE, 'passwordless-id/judge.mjs'),
    kinds(/^(ES256|RS256)/),
    'no EdDSA; verifies no attestation',
  ],
  webauthn4js: [run(NODE, 'webauthn4js/judge.mjs'), KINDS, 'Go as Wasm'],
  'python-fido2': [run(PYTHON, 'python-fido2/judge.py'), kinds(/none|self|packed|RS256 tpm/), 'in a TPM RSA alone'],
  'ruby-webauthn': [
    run('ruby', 'ruby-webauthn/judge.rb'),
    kinds(/^(ES256|RS256) (none|self)/),
    'no EdDSA; certificates of known makers alone',
  ],
  'duo-labs-webauthn': [runGo, KINDS],
  'authen-webauthn': [
    run('perl', 'authen-webauthn/judge.pl'),
    kinds(/^(ES256|RS256) (none|self|packed)/),
    'no EdDSA, no TPM',
  ],
  libfido2: [
    run(PYTHON, 'libfido2/judge.py'),
    kinds(/none|self|packed/),
    'called from Python, which reads client data, JSON and CBOR; in a TPM RS1 alone',
  ],
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
const NONE = { verified: 0, refused: 0, seconds: 0 } satisfies Counted

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

const play = ([command, kinds]: Judge): Outcome => {
  const file = join(folder, 'lines.jsonl')
  const given = lines.filter(({ kind }) => kinds.includes(kind))
  const texts = withWarmUp(given).map((line) => `${JSON.stringify(line)}\n`)
  writeFileSync(file, texts.join(''))
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
    const sum = (of: keyof typeof NONE): number => counted.reduce((total, each) => total + each[of], 0)
    return { verified: sum('verified'), refused: sum('refused'), seconds: sum('seconds') }
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
  const [, kinds = [], note] = JUDGES[name] ?? []
  const server = servers[name]
  const judged = GROUPS.map((group) => number(first?.groups[group]?.verified ?? 0)).join(' + ')
  const reasons = Object.values(first?.groups ?? {}).flatMap(({ reason }) => (reason === undefined ? [] : [reason]))
  const parts = [server && versionOf(server), note, kindsText(kinds), `verified ${judged}`, ...new Set(reasons)]
  console.log(`- ${name}: ${parts.filter((part) => part !== undefined).join('; ')}.`)
}
