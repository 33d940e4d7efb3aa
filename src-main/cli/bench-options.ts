import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BenchSettings } from '../bench/assembly/bench.ts'
import { DEMO_RP, type SeedData } from '../bench/control/seed-data.ts'
import { type ClockSetting, realClock } from '../bench/harness/clock.ts'
import { type ConfigDocument, configSchema, type RpSeed } from '../core/contract/config.ts'
import type { FieldProblem } from '../core/contract/errors.ts'
import { isOrigin } from '../core/contract/profile.ts'
import { profilePart } from '../core/contract/profile-schema.ts'
import { isRpId, isRpOrigin } from '../core/contract/rp-identity.ts'
import type { FileProblem } from '../core/contract/scenario/file-problems.ts'
import { findProblems } from '../core/contract/validate.ts'
import type { ModelMetadata } from '../core/judge/ceremony-case.ts'
import { en } from '../core/messages/en/en.ts'
import type { Bytes } from '../core/protocol/bytes.ts'
import { textOf } from '../core/protocol/coded.ts'
import { withoutUndefined } from '../core/protocol/json.ts'
import { err, ok, orNothing, type Result } from '../core/protocol/result.ts'
import { CLOCK_END } from '../core/protocol/time.ts'
import { readMetadata } from '../service/ceremony/metadata.ts'
import { type PostgresLocation, parsePostgresUrl } from '../service/store/postgres/location.ts'
import { readDocument, toFileProblem } from '../testing/scenario/read-document.ts'
import { parseRoots } from '../views/inspect/given-written.ts'
import { defaultDataDirectory, type Machine } from './command.ts'
import { ifGiven, misuse, untilEnd } from './command-end.ts'
import { readOptionFile } from './in-file.ts'
import { checkHostNames, parseAccessKey, parseControlToken } from './option-values.ts'
import { type benchOptions, type ParsedOptions, startOptions } from './options.ts'
import { type NameOption, optionFlag, readOptions } from './read-options.ts'

export type BenchOptions = ParsedOptions<typeof benchOptions>

export type WantedBench = Omit<BenchSettings, 'version' | 'pageFolder' | 'log'>

/** An option overrides the configuration file. */
export const parseBenchOptions = (options: BenchOptions, named: NameOption = optionFlag): WantedBench => {
  const config = ifGiven(options.config, (path) => readOptionFile(named('config'), path, readConfig)) ?? {}
  const { port, host: hosts = [], data, 'public-url': publicUrl, seed = config.seed } = options
  if (publicUrl !== undefined && !isWebOrigin(publicUrl))
    misuse(
      `${named('public-url')} must be an origin such as https://bench.example, without a path; got "${publicUrl}".`,
    )
  const allowHosts = [...(config.allow_hosts ?? []), ...(options['allow-host'] ?? [])]
  checkHostNames(allowHosts, named('allow-host'))
  const prefix = parsePrefix(options.prefix, named('prefix'))
  const database = ifGiven(options.store, (text) => parseStore(text, named))
  const token = ifGiven(options.token, (text) => parseControlToken(text, named('token')))
  const profile = profileOf(options, config, named)
  const metadata = metadataOf(options, named)
  const rps = rpsOf(options, config, named)
  const seedData: SeedData = { rps, phones: config.phones ?? [], ...withoutUndefined({ profile }) }
  const dataDirectory = ifGiven(data, (path) => resolve(path))
  return {
    ...{ port, hosts, allowHosts, prefix, seedData },
    ...withoutUndefined({ database, token, metadata, publicUrl, dataDirectory, seed, clock: config.clock }),
  }
}

export const parseStore = (text: string, named: NameOption): PostgresLocation => {
  const url = parsePostgresUrl(text)
  return url.ok ? url.value : misuse(`${named('store')}: ${textOf(en.databaseUrls, url.error)}`)
}

const TAKEN = ['/app', '/control', '/w', '/assets', '/healthz', '/readyz', '/metrics']

const parsePrefix = (text: string, name: string): string => {
  if (!isPlainPath(text)) misuse(`${name} must be a path such as /fido; got "${text}".`)
  const first = firstOf(text)
  return TAKEN.includes(first) ? misuse(`${name} must not begin with ${first}, which is used here already.`) : text
}

/** True for an RFC 3986 section 3.3 path without percent-encoding and dot segments, which clients would resolve. */
const isPlainPath = (text: string): boolean =>
  /^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(text) && !text.split('/').some((segment) => /^\.\.?$/.test(segment))

const firstOf = (path: string): string => `/${path.split('/')[1]}`

export const isAvailablePrefix = (path: string): boolean => isPlainPath(path) && !TAKEN.includes(firstOf(path))

export const isWebOrigin = (text: string): boolean => isOrigin(text) && /^https?:/.test(text)

const profileOf = (options: BenchOptions, config: Config, named: NameOption): Config['profile'] =>
  options.profile === undefined
    ? config.profile
    : { ...config.profile, ...readOptionFile(named('profile'), options.profile, readProfileFile) }

const metadataOf = (options: BenchOptions, named: NameOption): ModelMetadata | undefined => {
  const { mds, 'mds-root': root } = options
  if (mds === undefined && root === undefined) return undefined
  if (mds === undefined) return misuse(`${named('mds-root')} needs --mds, the list that these certificates are for.`)
  if (root === undefined)
    return misuse(`${named('mds')} needs --mds-root, the certificates to trust for its signature.`)
  const roots = readOptionFile(named('mds-root'), root, readRoots)
  return readOptionFile(named('mds'), mds, (text) => readMetadata(text.trim(), { roots, now: realClock.now() }))
}

export const readRoots = (text: string): Result<readonly Bytes[], string> => {
  const roots = parseRoots(text)
  return roots === undefined ? err('it has no certificates that can be read.') : ok(roots)
}

export const readProfileFile = (text: string): Result<NonNullable<Config['profile']>, FileProblem> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const problem = toFileProblem(document.value, findProblems(document.value.value, profilePart))
  return problem === undefined ? ok(document.value.value as NonNullable<Config['profile']>) : err(problem)
}

/** The options change the first RP of the file. */
const rpsOf = (options: BenchOptions, config: Config, named: NameOption): readonly RpSeed[] => {
  const [first = DEMO_RP, ...others] = config.rps ?? []
  const { 'rp-id': rpId, origin: origins, 'access-key': accessKey } = options
  const wrong = origins?.find((origin) => !isRpOrigin(origin))
  if (wrong !== undefined) misuse(`${named('origin')} must be an origin such as https://shop.example; got "${wrong}".`)
  if (rpId !== undefined && !isRpId(rpId))
    misuse(`${named('rp-id')} must be a domain such as shop.example; got "${rpId}".`)
  if ((rpId ?? origins ?? accessKey) === undefined) return [first, ...others]
  const keys = ifGiven(accessKey, (text) => [parseAccessKey(text, named('access-key'))])
  return [{ ...first, ...withoutUndefined({ rp_id: rpId, origins, keys }) }, ...others]
}

type Config = Omit<ConfigDocument, 'clock'> & { readonly clock?: ClockSetting }

export const readConfig = (text: string): Result<Config, FileProblem> => {
  const document = readDocument(text)
  if (!document.ok) return document
  const raw = document.value.value ?? {}
  const unfit = toFileProblem(document.value, findProblems(raw, configSchema))
  if (unfit !== undefined) return err(unfit)
  const { clock, ...config } = raw as ConfigDocument
  const { rps = [], phones = [] } = config
  const repeats = [
    repeated(rps.map(({ name }, i) => ({ at: `rps[${i}]`, field: 'name', value: name }))),
    repeated(
      rps.flatMap(({ keys = [] }, i) =>
        keys.map(({ id }, j) => ({ at: `rps[${i}].keys[${j}]`, field: 'id', value: id })),
      ),
    ),
    repeated(phones.map(({ name }, i) => ({ at: `phones[${i}]`, field: 'name', value: name }))),
  ].filter((each) => each !== undefined)
  const setting = clock === undefined ? ok(undefined) : parseClock(clock)
  const problem = toFileProblem(document.value, setting.ok ? repeats : [...repeats, setting.error])
  if (problem !== undefined) return err(problem)
  return ok({ ...config, ...withoutUndefined({ clock: setting.ok ? setting.value : undefined }) })
}

type Named = { readonly at: string; readonly field: string; readonly value: string }

/** Finds a repeated value: at the next start, both entries would become one. */
const repeated = (all: readonly Named[]): FieldProblem | undefined => {
  for (const [i, { at, field, value }] of all.entries()) {
    const other = all.slice(0, i).find((each) => each.value === value)
    const params = { field: `${at}.${field}`, other: other?.at ?? '', value: JSON.stringify(value) }
    if (other !== undefined) return { code: 'field_repeats', params }
  }
  return undefined
}

const parseClock = ({ now, ...rest }: NonNullable<ConfigDocument['clock']>): Result<ClockSetting, FieldProblem> => {
  if (now === undefined) return ok(rest)
  const time = typeof now === 'number' ? now : Date.parse(now)
  return time >= 0 && time <= CLOCK_END
    ? ok({ ...rest, now: time })
    : err({ code: 'field_unfit', params: { field: 'clock.now', expected: { code: 'moment' }, got: `"${now}"` } })
}

/** Without --data or --memory, everything is stored in the system's folder for program data. A new bench has a phone. */
export const parseStartBench = (
  options: BenchOptions,
  machine: Machine,
  named: NameOption = optionFlag,
): WantedBench => {
  const data = options.data ?? (options.memory === true ? undefined : defaultDataDirectory(machine))
  const wanted = parseBenchOptions({ ...options, ...(data === undefined ? {} : { data }) }, named)
  const { dataDirectory, seedData } = wanted
  // Other code reports a missing folder, or a file in its place.
  const kept = ifGiven(dataDirectory, (path) => orNothing(() => readdirSync(path))) ?? []
  const isNew = !kept.some((name) => name.endsWith('.db'))
  // A phone that is deleted later does not come back.
  return isNew && seedData.phones.length === 0
    ? { ...wanted, seedData: { ...seedData, phones: [{ name: 'Alice' }] } }
    : wanted
}

/** For Electron, which gets unparsed arguments. */
export const parseStart = (args: readonly string[], machine: Machine): Result<WantedBench, string> =>
  untilEnd(() => {
    const { options, positionals, named } = readOptions(startOptions, args, machine.env)
    const [stranger] = positionals
    return stranger === undefined ? parseStartBench(options, machine, named) : misuse(`It takes no "${stranger}".`)
  })
