import { toHex, utf8 } from '../../core/protocol/bytes.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import { type Fact, factsIn, type InspectContext, type Recognised } from './inspection.ts'

const LONGEST_URL = 8192
/** Longest host name, RFC 1035 section 2.3.4. */
const LONGEST_HOST = 253

export const recogniseOrigin = async (text: string, { crypto }: InspectContext): Promise<Recognised | undefined> => {
  if (/^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(text))
    return { kind: 'origin', facts: [['app', text.slice('android:apk-key-hash:'.length)]] }
  const url = text.length <= LONGEST_URL && /^https?:\/\/\S+$/i.test(text) ? URL.parse(text) : null
  if (url === null) return undefined
  const { hostname, origin, protocol } = url
  if (hostname.length > LONGEST_HOST) return undefined
  const isBare = url.pathname === '/' && url.search === '' && url.hash === ''
  const secure = protocol === 'https:' || hostname === 'localhost'
  const facts = factsIn({
    origin,
    // WebAuthn §5.1.3: the host, or a parent domain that is not a public suffix.
    'RP ID': secure ? rpIdsOf(hostname).join(', ') : { code: 'none' },
    'hash of the host': toHex(await crypto.digest('SHA-256', utf8(hostname))),
  })
  if (isBare) return { kind: 'origin', facts }
  return { kind: 'url', facts: [...facts, ['path', url.pathname], ...queryFacts(url)] }
}

const rpIdsOf = (host: string): readonly string[] => {
  const labels = host.split('.')
  return labels.length < 2 ? [host] : labels.slice(0, -1).map((_, i) => labels.slice(i).join('.'))
}

const MAX_PARAMETERS = 40

const queryFacts = ({ searchParams }: URL): readonly Fact[] =>
  [...searchParams].slice(0, MAX_PARAMETERS).map(([name, value]) => [`query.${name}`, value])

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Files below /.well-known that associate sites and apps. */
export const recogniseAssociation = (value: JsonObject): Recognised | undefined => {
  const { origins, webcredentials } = value
  if (Object.keys(value).length === 1 && isTexts(origins))
    return { kind: 'related-origins', facts: origins.slice(0, MAX_PARAMETERS).map((each) => ['origin', each]) }
  const apps = isObject(webcredentials) ? webcredentials.apps : undefined
  return isTexts(apps)
    ? { kind: 'site-association', facts: apps.slice(0, MAX_PARAMETERS).map((each) => ['app', each]) }
    : undefined
}

export const recogniseAssetLinks = (value: readonly unknown[]): Recognised | undefined => {
  const targets = value.map((each) => (isObject(each) && isTexts(each.relation) ? each.target : undefined))
  if (targets.length === 0 || !targets.every(isObject)) return undefined
  return {
    kind: 'asset-links',
    facts: targets
      .slice(0, MAX_PARAMETERS)
      .map((target): Fact => ['for', String(target.package_name ?? target.site ?? target.namespace)]),
  }
}
