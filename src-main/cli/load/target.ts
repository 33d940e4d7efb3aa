import { readFileSync } from 'node:fs'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { HandsetError } from '../../sdk/errors.ts'
import { connectHandset } from '../../sdk/handset.ts'
import { serve } from '../../sdk/start.ts'
import { openScratch } from '../../sdk/test-fixtures.ts'
import type { Environment } from '../command.ts'
import { type BenchNotFound, findBench } from '../find-bench.ts'
import { parseAccessKey } from '../option-values.ts'
import type { loadOptions } from '../options.ts'
import type { NameOption, ReadOptions } from '../read-options.ts'

export type LoadTarget = {
  readonly baseUrl: string
  readonly appUrl: string
  readonly accessKeyId: string
  readonly secretKey: string
  /** If known, the service's RP ID must be the same. */
  readonly rpId: string | undefined
  readonly ca: string | undefined
  /** Process of the bench, if the load started one. */
  readonly pid: number | undefined
  /** True if everything registered is removed with the workspace. */
  readonly passing: boolean
  readonly close: () => Promise<void>
}

type Parsed = ReadOptions<typeof loadOptions>
type Outcome = Promise<Result<LoadTarget, BenchNotFound>>

export const openTarget = async (parsed: Parsed, environment: Environment): Outcome => {
  const stray = strayOption(parsed)
  if (stray !== undefined) return misused(stray)
  const ca = caOf(parsed)
  if (!ca.ok) return misused(ca.error)
  const hosts = (urls: readonly string[]) => checkHosts(urls, parsed.options['yes-this-host'], parsed.named)
  if (parsed.options['base-url'] !== undefined) {
    const target = serviceAt(parsed, ca.value)
    if (!target.ok) return misused(target.error)
    const foreign = hosts([target.value.baseUrl, target.value.appUrl])
    return foreign === undefined ? target : misused(foreign)
  }
  try {
    const target =
      parsed.options.attach === true ? await openAttachedTarget(parsed, environment, ca.value) : await ownBench()
    if (!target.ok) return target
    const foreign = hosts([target.value.baseUrl, target.value.appUrl])
    if (foreign === undefined) return target
    await target.value.close()
    return misused(foreign)
  } catch (reason) {
    if (!(reason instanceof HandsetError)) throw reason
    return err({ problem: reason.message, misused: false })
  }
}

const misused = (problem: string): Result<never, BenchNotFound> => err({ problem, misused: true })

const strayOption = ({ options, named }: Parsed): string | undefined => {
  const given = (name: keyof typeof options): boolean =>
    // A variable may be set for other commands, so only options count.
    options[name] !== undefined && named(name).startsWith('--')
  const ofBase = (['app-url', 'rp-id', 'access-key'] as const).find(given)
  if (options['base-url'] === undefined && ofBase !== undefined) {
    return `${named(ofBase)} belongs to --base-url, which is missing.`
  }
  const ofAttach = (['control-url', 'data', 'token'] as const).find(given)
  if (options.attach === undefined && ofAttach !== undefined) {
    return `${named(ofAttach)} belongs to --attach, which is missing.`
  }
  return undefined
}

const caOf = ({ options: { ca }, named }: Parsed): Result<string | undefined, string> => {
  if (ca === undefined) return ok(undefined)
  try {
    return ok(readFileSync(ca, 'utf8'))
  } catch {
    return err(`${named('ca')}: ${ca} cannot be read.`)
  }
}

const serviceAt = ({ options, named }: Parsed, ca: string | undefined): Result<LoadTarget, string> => {
  const baseUrl = parseUrl(options['base-url'] ?? '', named('base-url'))
  if (!baseUrl.ok) return baseUrl
  const appUrl = parseUrl(options['app-url'] ?? new URL('/app', baseUrl.value).href, named('app-url'))
  if (!appUrl.ok) return appUrl
  if (options['access-key'] === undefined) {
    return err(
      `${named('base-url')} needs an access key: HANDSET_ACCESS_KEY, --access-key-file FILE or --access-key ID:SECRET.`,
    )
  }
  const key = parseAccessKey(options['access-key'], named('access-key'))
  if (!key.ok) return key
  return ok({
    baseUrl: baseUrl.value,
    appUrl: appUrl.value,
    accessKeyId: key.value.id,
    secretKey: key.value.secret,
    rpId: options['rp-id'],
    ca,
    pid: undefined,
    passing: false,
    close: async () => undefined,
  })
}

const parseUrl = (text: string, name: string): Result<string, string> => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fits = url !== undefined && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === ''
  return fits
    ? ok(url.href.replace(/\/$/, ''))
    : err(`${name} must be an address such as http://localhost:7420/fido; got "${text}".`)
}

/** Uses a workspace that is removed when the load ends, however it ends. */
const openAttachedTarget = async (
  { options, named }: Parsed,
  environment: Environment,
  ca: string | undefined,
): Outcome => {
  const found = findBench(options, environment, named)
  if (!found.ok) return found
  const { controlUrl, token } = found.value
  if (controlUrl.startsWith('https:') && ca === undefined) {
    return misused(`the bench at ${controlUrl} speaks https: name the certificates to trust by --ca FILE.`)
  }
  const handset = await connectHandset({ controlUrl, token, ca })
  const { workspace, remove } = await openScratch(handset, { isolation: 'own', title: 'handset load' })
  const rp = await workspace.rp()
  rp.close()
  const { accessKeyId, secretKey, rp_id } = rp
  const { baseUrl, appUrl } = workspace
  return ok({
    ...{ baseUrl, appUrl, accessKeyId, secretKey, rpId: rp_id, ca },
    ...{ pid: undefined, passing: true, close: remove },
  })
}

/** A separate process, so that the client's work is not counted as the service's. */
const ownBench = async (): Outcome => {
  const { ready, stop } = await serve()
  const handset = await connectHandset({ controlUrl: ready.control_url, token: ready.token })
  const rp = await handset.rp()
  rp.close()
  return ok({
    baseUrl: handset.baseUrl,
    appUrl: handset.appUrl,
    accessKeyId: rp.accessKeyId,
    secretKey: rp.secretKey,
    rpId: rp.rp_id,
    ca: undefined,
    pid: ready.pid,
    passing: true,
    close: stop,
  })
}

/** Another machine must be named explicitly. */
const checkHosts = (urls: readonly string[], allowed: string | undefined, named: NameOption): string | undefined => {
  const foreign = urls.map((url) => new URL(url).hostname).filter((host) => !isOwnMachine(host))
  const unnamed = foreign.find((host) => host !== allowed)
  if (unnamed !== undefined) {
    return `${unnamed} is not this machine. A load can bring a service down: with the consent of those who run it, repeat its name: --yes-this-host ${unnamed}`
  }
  return allowed !== undefined && foreign.length === 0 && named('yes-this-host').startsWith('--')
    ? `${named('yes-this-host')} names ${allowed}, but nothing there would be loaded.`
    : undefined
}

/** Checks the name only, since a name server's answer may change from one request to the next. */
const isOwnMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
