import { createReadStream, statSync } from 'node:fs'
import { realClock } from '../bench/harness/clock.ts'
import { type FactValue, UNREAD_KINDS } from '../core/contract/inspection.ts'
import type { Evidence } from '../core/contract/judge/evidence.ts'
import { en } from '../core/messages/en/en.ts'
import { inspectionMeaning, inspectionTitle, unreadText } from '../core/messages/inspection-text.ts'
import { type Bytes, toBase64url, utf8 } from '../core/protocol/bytes.ts'
import { textOf, textOrData } from '../core/protocol/coded.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { readBounded } from '../core/protocol/read-bounded.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { nodeCrypto } from '../service/second-opinion/node-crypto.ts'
import { signingCrypto } from '../service/signing/explain-request.ts'
import { looksLikeOrigin, parseOptions } from '../views/inspect/given-written.ts'
import { inspect as look } from '../views/inspect/inspect.ts'
import {
  type Check,
  type GivenInputs,
  type Inspection,
  isUnverifiable,
  MAX_INSPECTED_BYTES,
} from '../views/inspect/inspection.ts'
import type { DecodedPart } from '../views/inspect/parts.ts'
import { parsePublicKey } from '../views/inspect/public-key-in.ts'
import { readRoots } from './bench-options.ts'
import { type Environment, makeCommand } from './command.ts'
import { type ExitCode, ifGiven, misuse } from './command-end.ts'
import { readOptionFile } from './in-file.ts'
import { parseAccessKey } from './option-values.ts'
import type { Read } from './read-options.ts'
import { fitColumn, type Paint, paintFor, toOneLine } from './terminal.ts'

type Parsed = Read<'inspect'>

const withFactTexts = (found: Inspection): Inspection => ({
  ...found,
  facts: found.facts.map(([name, value]) => [name, factText(value)]),
  within: found.within.map(withFactTexts),
})

const linesOf = (found: Inspection, paint: Paint, width: number): readonly string[] => {
  const { bold, dim, red, green } = paint
  const { verdict, checks, missing } = found
  const bad = checks.filter(({ outcome }) => outcome === 'failed')
  const passed = checks.filter(({ outcome }) => outcome === 'passed').length
  const unread = unreadText(en, found.kind)
  return [
    `${bold(inspectionTitle(en, found.kind))}${found.written.length === 0 ? '' : dim(`  ${found.written.join(', ')}`)}`,
    ...(verdict === undefined ? [] : [verdict === 'verified' ? green('verified') : red('refused')]),
    ...bad.flatMap((check) => [`  ${red('✗')} ${nameOf(check)}`, ...evidenceLines(check, dim)]),
    ...(passed === 0 ? [] : [dim(`  ${passed} of ${checks.length} checks passed`)]),
    ...(found.facts.length === 0 ? [] : ['']),
    ...found.facts.flatMap(([name, value]) => factLines(name, value, { dim, width })),
    ...found.parts.flatMap((part) => ['', ...partLines(part, { dim, bold, width })]),
    ...(missing.length === 0
      ? []
      : ['', 'For a verdict it needs:', ...missing.map((wanted) => `  ${en.inspectionWants[wanted]}`)]),
    ...found.within.flatMap((inner) => ['', ...linesOf(inner, paint, width)]),
    ...meaningOf(found),
    ...(unread === undefined ? [] : ['', unread]),
    ...(NEXT[found.kind] === undefined ? [] : ['', NEXT[found.kind] ?? '']),
  ]
}

const meaningOf = ({ kind, facts }: Inspection): readonly string[] => {
  const name = factText(facts.find(([fact]) => fact === 'name')?.[1] ?? '')
  const meaning = inspectionMeaning(en, { kind, name })
  return meaning === undefined ? [] : ['', meaning]
}

const NEXT: Partial<Readonly<Record<Inspection['kind'], string>>> = {
  trace: 'npx handset show FILE lists its events.',
  scenario: 'npx handset run FILE plays it.',
  'check-recording': 'npx handset parity FILE compares it with the bench.',
}

const nameOf = ({ name, word }: Check): string => {
  const titles: Readonly<Record<string, string>> = { ...en.steps, ...en.inspectionChecks, ...en.signingMistakes }
  const title = Object.hasOwn(titles, name) ? titles[name] : undefined
  const why = textOf(en.failures, { code: word ?? name })
  const step = /^7\.\d/.test(name) ? `${name} ` : ''
  if (title === undefined) return why
  return `${step}${title}${word === undefined || why === word ? '' : `: ${why}`}`
}

const evidenceLines = ({ expected, received }: Check, dim: Paint['dim']): readonly string[] => [
  ...(expected === undefined ? [] : [`      ${dim('expected')} ${shown(expected)}`]),
  ...(received === undefined ? [] : [`      ${dim('received')} ${shown(received)}`]),
]

const shown = (evidence: Evidence): string => toOneLine(textOrData(en.evidence, evidence))

type Look = Pick<Paint, 'dim'> & { readonly width: number }

const factText = (fact: FactValue): string => textOrData(en.inspectionWords, fact)

const NAME_WIDTH = 22

const factLines = (name: string, fact: FactValue, { dim, width }: Look): readonly string[] => {
  const value = factText(fact)
  if (value.includes('\n')) return [`  ${dim(name)}`, ...value.split('\n').map((line) => `    ${toOneLine(line)}`)]
  return [`  ${dim(name.padEnd(NAME_WIDTH))} ${cut(toOneLine(value), width - NAME_WIDTH - 3)}`]
}

const cut = (text: string, width: number): string => (width > 20 ? fitColumn(text, width).trimEnd() : text)

const partLines = (part: DecodedPart<string>, { dim, bold, width }: Look & Pick<Paint, 'bold'>): readonly string[] => [
  `${bold(part.name)} ${dim(`${part.bytes.length} bytes`)}`,
  ...part.nodes.map(({ depth, name, value, note, flags, start, end }) => {
    const set = flags?.filter((flag) => flag.set).map((flag) => flag.name) ?? []
    const content = [value, ...(set.length === 0 ? [] : [`(${set.join(' ')})`])].filter((text) => text !== '').join(' ')
    const indent = '  '.repeat(depth + 1)
    const place = `${start}–${end}`.padStart(9)
    const head = `${dim(place)} ${indent}${name}`
    const room = width - 10 - indent.length - name.length - 4
    return `${head}  ${cut(toOneLine(content), room)}${note === undefined || note === '' ? '' : dim(`  ${note}`)}`
  }),
]

export const inspect = makeCommand(
  {
    name: 'inspect',
    usage: '[FILE|-] [OPTIONS]',
    more: [
      'FILE or standard input is anything of this world: a WebAuthn response, options, client data, an attestation object, authenticator data, a key, a certificate, CBOR, a JWS, a QR code, an HTTP request or its Authorization header, a trace. It is recognised by itself, in any usual writing.',
      'Exit code 0: it holds, or there is nothing that could hold or not. 1: it does not hold. 2: it cannot be read, or what is needed for a verdict is missing.',
    ],
  },
  async (parsed, environment) => {
    const { options, positionals } = parsed
    const [file = '-', stranger] = positionals
    if (stranger !== undefined) misuse('name one file, or - for standard input.')
    const given = givenOf(parsed)
    const input = await readInput(file, environment)
    const ports = { crypto: nodeCrypto, signing: signingCrypto, now: realClock.now() }
    const found = await look(input, given, ports)
    const { terminal } = environment
    const encoded = (_: string, value: unknown) => (value instanceof Uint8Array ? toBase64url(value) : value)
    if (options.json === true) terminal.out(JSON.stringify(withFactTexts(found), encoded))
    else terminal.out(linesOf(found, paintFor(terminal), terminal.width).join('\n'))
    return exitCodeOf(found)
  },
)

const exitCodeOf = (found: Inspection): ExitCode => {
  const { kind, verdict, missing } = found
  if (verdict !== undefined) return verdict === 'verified' ? 0 : 1
  return UNREAD_KINDS.has(kind) || missing.length > 0 || isUnverifiable(found) ? 2 : 0
}

const readInput = async (file: string, { input }: Environment): Promise<Bytes> => {
  const found = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false })
  if (file !== '-' && found?.isFile() !== true)
    misuse(`there is no file ${file}. Text goes in by standard input: echo TEXT | handset inspect`)
  const source = file === '-' ? (input ?? null) : createReadStream(file)
  const bytes = await readBounded(source, MAX_INSPECTED_BYTES)
  if (bytes !== undefined) return bytes
  return misuse(`${file === '-' ? 'standard input' : file} has more than ${MAX_INSPECTED_BYTES / 1024 / 1024} MiB.`)
}

const givenOf = ({ options, named }: Parsed): GivenInputs => {
  const asked = ifGiven(options.options, (file) => readOptionFile(named('options'), file, readOptionsFile))
  const wrong = options.origin?.find((origin) => !looksLikeOrigin(origin))
  if (wrong !== undefined) misuse(`${named('origin')} must be an origin such as https://shop.example; got "${wrong}".`)
  const publicKey = ifGiven(options['public-key'], (text) => readKey(text, named('public-key')))
  const accessKey = ifGiven(options['access-key'], (text) => parseAccessKey(text, named('access-key')))
  const roots = ifGiven(options.roots, (file) => readOptionFile(named('roots'), file, readRoots))
  const others = { options: asked, origins: options.origin, rpId: options['rp-id'] }
  return { ...withoutUndefined({ ...others, publicKey, accessKey, roots }), signCount: options['sign-count'] }
}

const readOptionsFile = (text: string): Result<unknown, string> => {
  const found = parseOptions(text)
  return found === undefined ? err('it has no WebAuthn options: a JSON object with a challenge.') : ok(found)
}

const readKey = (text: string, name: string): Bytes => {
  const isFile = text.length < 4096 && statSync(text, { throwIfNoEntry: false })?.isFile() === true
  const key = parsePublicKey(utf8(isFile ? readOptionFile(name, text, ok) : text))
  return key ?? misuse(`${name} is no public key: give COSE, PEM or DER, in a file or as base64url or hex.`)
}
