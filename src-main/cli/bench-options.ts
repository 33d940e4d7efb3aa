import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BenchSettings } from '../bench.ts'
import { DEMO_RP, type Furniture, type RpFurniture } from '../control/furnish.ts'
import { readDocument } from '../harness/read-document.ts'
import { isHostName } from '../http/page-guard.ts'
import { isAccessKeyId, isSecretKey, SECRET_KEY } from '../protocol/access-key.ts'
import { isOrigin, parseProfile } from '../protocol/profile.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { isRpId, isRpOrigin } from '../protocol/rp-identity.ts'
import { type Config, readConfig } from './config-file.ts'
import type { OptionTable, ParsedOptions } from './options.ts'

/** What `serve` and `start` have in common. */
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
  data: { value: 'DIR', help: 'Keep everything in this directory.' },
  memory: { help: 'Keep everything in memory.' },
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
  'access-key': { value: 'ID:SECRET', help: 'The access key of the first RP; one is drawn when absent.' },
} as const satisfies OptionTable

export type BenchOptions = ParsedOptions<typeof benchOptions>

export type WantedBench = Omit<BenchSettings, 'version' | 'pageFolder' | 'log'>

export const DEFAULT_PORT = 7420

/** Settings of a bench from what stands on the command line and in the files it names. */
export const parseBenchOptions = (options: BenchOptions): Result<WantedBench, string> => {
  if (options.data !== undefined && options.memory === true) return err('--data and --memory exclude each other.')
  const port = options.port === undefined ? ok(DEFAULT_PORT) : wholeNumber('port', options.port, 65_535)
  if (!port.ok) return port
  const config: Result<Config, string> =
    options.config === undefined ? ok({}) : inFile('config', options.config, readConfig)
  if (!config.ok) return config
  const seed =
    options.seed === undefined ? ok(config.value.seed) : wholeNumber('seed', options.seed, Number.MAX_SAFE_INTEGER)
  if (!seed.ok) return seed
  const prefix = parsePrefix(options.prefix ?? '/fido')
  if (!prefix.ok) return prefix
  const publicUrl = options['public-url']
  if (publicUrl !== undefined && !isWebOrigin(publicUrl)) {
    return err(`--public-url must be an origin such as https://bench.example, without a path; got "${publicUrl}".`)
  }
  const allowHosts = [...(config.value.allow_hosts ?? []), ...(options['allow-host'] ?? [])]
  const noName = allowHosts.find((name) => !isHostName(name))
  if (noName !== undefined) return err(`--allow-host must be a name such as handset or handset:7420; got "${noName}".`)
  const profile = profileOf(options, config.value)
  if (!profile.ok) return profile
  const rps = rpsOf(options, config.value)
  if (!rps.ok) return rps
  const furniture: Furniture = {
    rps: rps.value,
    phones: config.value.phones ?? [],
    ...(profile.value === undefined ? {} : { profile: profile.value }),
  }
  return ok({
    port: port.value,
    hosts: options.host ?? [],
    allowHosts,
    prefix: prefix.value,
    furniture,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(options.data === undefined ? {} : { dataDirectory: resolve(options.data) }),
    ...(seed.value === undefined ? {} : { seed: seed.value }),
    ...(config.value.clock === undefined ? {} : { clock: config.value.clock }),
  })
}

export const wholeNumber = (name: string, text: string, max: number): Result<number, string> => {
  const value = Number(text)
  return /^\d+$/.test(text) && value <= max
    ? ok(value)
    : err(`--${name} must be a whole number from 0 to ${max}; got "${text}".`)
}

const TAKEN = ['/app', '/control', '/w', '/assets']

const parsePrefix = (text: string): Result<string, string> => {
  const segments = text.split('/').slice(1)
  // RFC 3986 section 3.3, without what would have to be percent-encoded; dot segments are resolved by clients.
  if (!/^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(text) || segments.some((segment) => /^\.\.?$/.test(segment))) {
    return err(`--prefix must be a path such as /fido; got "${text}".`)
  }
  const first = `/${segments[0]}`
  return TAKEN.includes(first) ? err(`--prefix must not begin with ${first}, which is used here already.`) : ok(text)
}

const isWebOrigin = (text: string): boolean => isOrigin(text) && /^https?:/.test(text)

const profileOf = (options: BenchOptions, config: Config): Result<Config['profile'], string> => {
  if (options.profile === undefined) return ok(config.profile)
  const read = inFile('profile', options.profile, (text) => {
    const document = readYaml(text)
    if (!document.ok) return document
    const valid = parseProfile(document.value)
    return valid.ok ? ok(document.value as NonNullable<Config['profile']>) : valid
  })
  return read.ok ? ok({ ...config.profile, ...read.value }) : read
}

/** The first RP, as the configuration file has it and the options change it. */
const rpsOf = (options: BenchOptions, config: Config): Result<readonly RpFurniture[], string> => {
  const [first = DEMO_RP, ...others] = config.rps ?? []
  const { 'rp-id': rpId, origin: origins, 'access-key': accessKey } = options
  const wrong = origins?.find((origin) => !isRpOrigin(origin))
  if (wrong !== undefined) return err(`--origin must be an origin such as https://shop.example; got "${wrong}".`)
  if (rpId !== undefined && !isRpId(rpId)) {
    return err(`--rp-id must be a domain such as shop.example; got "${rpId}".`)
  }
  if (rpId === undefined && origins === undefined && accessKey === undefined) return ok([first, ...others])
  const key = accessKey === undefined ? ok(undefined) : parseAccessKey(accessKey)
  if (!key.ok) return key
  return ok([
    {
      ...first,
      ...(rpId === undefined ? {} : { rp_id: rpId }),
      ...(origins === undefined ? {} : { origins }),
      ...(key.value === undefined ? {} : { keys: [key.value] }),
    },
    ...others,
  ])
}

const parseAccessKey = (text: string): Result<{ readonly id: string; readonly secret: string }, string> => {
  const [id = '', ...rest] = text.split(':')
  const secret = rest.join(':')
  if (isAccessKeyId(id) && isSecretKey(secret)) return ok({ id, secret })
  // The secret is not repeated.
  return err(
    `--access-key must be ID:SECRET, the ID of up to 128 letters, digits, ".", "_", "~" and "-", the secret of up to ${SECRET_KEY.maxLength} characters.`,
  )
}

/** Reads the file that an option names; complaints begin with the option and the file. */
const inFile = <T>(option: string, file: string, read: (text: string) => Result<T, string>): Result<T, string> => {
  if (!existsSync(file)) return err(`--${option}: there is no file ${file}.`)
  try {
    const value = read(readFileSync(file, 'utf8'))
    return value.ok ? value : err(`--${option}: ${file}: ${value.error}`)
  } catch (reason) {
    return err(`--${option}: ${file} cannot be read: ${reason instanceof Error ? reason.message : reason}`)
  }
}

const readYaml = (text: string): Result<unknown, string> => {
  const document = readDocument(text)
  return document.ok ? ok(document.value.value) : document
}
