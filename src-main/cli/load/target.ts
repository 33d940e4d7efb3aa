import { readFileSync } from 'node:fs'
import { orNothing } from '../../core/protocol/result.ts'
import { HandsetError } from '../../sdk/errors.ts'
import { connectHandset } from '../../sdk/handset.ts'
import { serve } from '../../sdk/start.ts'
import { openScratch } from '../../sdk/test-fixtures.ts'
import type { Workspace } from '../../sdk/workspace.ts'
import type { Environment } from '../command.ts'
import { ifGiven, misuse, notDone } from '../command-end.ts'
import { findBench } from '../find-bench.ts'
import { parseAccessKey, refuseStray } from '../option-values.ts'
import type { NameOption, Read } from '../read-options.ts'

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

type Parsed = Read<'load'>

export const openTarget = async (parsed: Parsed, environment: Environment): Promise<LoadTarget> => {
  const { options, named } = parsed
  refuseStray(parsed, ['app-url', 'rp-id', 'access-key'], 'base-url')
  refuseStray(parsed, ['control-url', 'data', 'token'], 'attach')
  const ca = ifGiven(options.ca, (file) => {
    return orNothing(() => readFileSync(file, 'utf8')) ?? misuse(`${named('ca')}: ${file} cannot be read.`)
  })
  let target: LoadTarget
  try {
    if (options['base-url'] !== undefined) target = serviceAt(parsed, options['base-url'], ca)
    else target = options.attach === true ? await openAttachedTarget(parsed, environment, ca) : await ownBench()
  } catch (reason) {
    if (!(reason instanceof HandsetError)) throw reason
    return notDone(reason.message)
  }
  const foreign = foreignHost([target.baseUrl, target.appUrl], options['yes-this-host'], named)
  if (foreign === undefined) return target
  await target.close()
  return misuse(foreign)
}

const serviceAt = ({ options, named }: Parsed, url: string, ca: string | undefined): LoadTarget => {
  const baseUrl = parseUrl(url, named('base-url'))
  const appUrl = parseUrl(options['app-url'] ?? new URL('/app', baseUrl).href, named('app-url'))
  if (options['access-key'] === undefined)
    return misuse(
      `${named('base-url')} needs an access key: HANDSET_ACCESS_KEY, --access-key-file FILE or --access-key ID:SECRET.`,
    )
  const { id: accessKeyId, secret: secretKey } = parseAccessKey(options['access-key'], named('access-key'))
  return {
    ...{ baseUrl, appUrl, accessKeyId, secretKey, rpId: options['rp-id'], ca },
    ...{ pid: undefined, passing: false, close: async () => undefined },
  }
}

const parseUrl = (text: string, name: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fits = url !== undefined && /^https?:$/.test(url.protocol) && `${url.search}${url.hash}${url.username}` === ''
  return fits
    ? url.href.replace(/\/$/, '')
    : misuse(`${name} must be an address such as http://localhost:7420/fido; got "${text}".`)
}

/** Uses a workspace that is removed when the load ends, however it ends. */
const openAttachedTarget = async (
  parsed: Parsed,
  environment: Environment,
  ca: string | undefined,
): Promise<LoadTarget> => {
  const { controlUrl, token } = findBench(parsed, environment, notDone)
  if (controlUrl.startsWith('https:') && ca === undefined)
    misuse(`the bench at ${controlUrl} speaks https: name the certificates to trust by --ca FILE.`)
  const handset = await connectHandset({ controlUrl, token, ca })
  const { workspace, remove } = await openScratch(handset, { isolation: 'own', title: 'handset load' })
  return { ...(await registeredAt(workspace)), ca, pid: undefined, passing: true, close: remove }
}

const registeredAt = async (workspace: Workspace) => {
  const rp = await workspace.rp()
  rp.close()
  const { accessKeyId, secretKey, rp_id: rpId } = rp
  return { baseUrl: workspace.baseUrl, appUrl: workspace.appUrl, accessKeyId, secretKey, rpId }
}

/** Starts the bench in a separate process, because the client's work must not count as the service's. */
const ownBench = async (): Promise<LoadTarget> => {
  const { ready, stop } = await serve()
  const handset = await connectHandset({ controlUrl: ready.control_url, token: ready.token })
  return { ...(await registeredAt(handset)), ca: undefined, pid: ready.pid, passing: true, close: stop }
}

/** Another machine must be named explicitly. */
const foreignHost = (urls: readonly string[], allowed: string | undefined, named: NameOption): string | undefined => {
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
