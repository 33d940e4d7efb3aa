import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import type { Fact, InspectContext, Recognised } from './inspection.ts'
import { recogniseRequest } from './signed-request.ts'

export const recogniseCurl = async (text: string, bench: InspectContext): Promise<Recognised | undefined> => {
  const request = readCurl(text)
  if (request === undefined) return undefined
  const { unknown } = request
  if (request.method === undefined)
    return unknown === undefined ? undefined : { kind: 'curl-command', facts: [unknown] }
  const { method, target, headers, body } = request
  const found = await recogniseRequest(
    `${method} ${target} HTTP/1.1\n${headers.map((header) => header.join(': ')).join('\n')}\n\n${body}`,
    bench,
  )
  if (found === undefined) return undefined
  if (unknown === undefined) return { ...found, kind: 'curl-command' }
  return { kind: 'curl-command', facts: [['request', `${method} ${target}`], unknown], within: found.within ?? [] }
}

export const readCurl = (text: string): Request | undefined => {
  const command = commandIn(text)
  return command === undefined ? undefined : requestOf(command)
}

// --- The options: curl 8.17, docs/cmdline-opts; a letter before the colon is the short form ---

const listed = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((word) => (word.includes(':') ? [word.slice(2), word.slice(0, 1)] : [word, ''])),
  )

const WITH_VALUE = listed(`
  abstract-unix-socket alt-svc aws-sigv4 cacert capath E:cert cert-type ciphers K:config connect-timeout connect-to
  C:continue-at b:cookie c:cookie-jar create-file-mode crlfile curves d:data data-ascii data-binary data-raw data-urlencode
  delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url D:dump-header ech egd-file engine etag-compare
  etag-save expect100-timeout F:form form-string ftp-account ftp-alternative-to-user ftp-method P:ftp-port
  ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip H:header h:help hostpubmd5 hostpubsha256 hsts interface
  ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options
  mail-auth mail-from mail-rcpt max-filesize max-redirs m:max-time netrc-file noproxy oauth2-bearer o:output output-dir
  parallel-max parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir x:proxy proxy-cacert
  proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass
  proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser
  U:proxy-user proxy1.0 pubkey Q:quote random-file r:range rate e:referer X:request request-target resolve retry
  retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname
  Y:speed-limit y:speed-time stderr t:telnet-option tftp-blksize z:time-cond tls-max tls13-ciphers tlsauthtype tlspassword
  tlsuser trace trace-ascii trace-config unix-socket T:upload-file upload-flags url url-query u:user A:user-agent variable
  vlan-priority w:write-out`)
/** Each also exists with the prefix no-. */
const WITHOUT_VALUE = listed(`
  alpn anyauth a:append basic ca-native cert-status clobber compressed compressed-ssh create-dirs crlf digest q:disable
  disable-eprt disable-epsv disallow-username-in-url doh-cert-status doh-insecure dump-ca-embed eprt epsv f:fail
  fail-early fail-with-body false-start follow form-escape ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl
  ftp-ssl-ccc ftp-ssl-control ftp-ssl-reqd G:get g:globoff haproxy-protocol I:head http0.9 0:http1.0 http1.1 http2
  http2-prior-knowledge http3 http3-only ignore-content-length i:include k:insecure 4:ipv4 6:ipv6 j:junk-session-cookies
  keepalive l:list-only L:location location-trusted mail-rcpt-allowfails M:manual metalink mptcp negotiate n:netrc
  netrc-optional ::next N:no-buffer npn ntlm ntlm-wb out-null Z:parallel parallel-immediate path-as-is post301 post302
  post303 #:progress-bar progress-meter proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-insecure
  proxy-negotiate proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 p:proxytunnel raw
  J:remote-header-name O:remote-name remote-name-all R:remote-time remove-on-error retry-all-errors retry-connrefused
  sasl-ir sessionid S:show-error s:silent skip-existing socks5-basic socks5-gssapi socks5-gssapi-nec ssl ssl-allow-beast
  ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort ssl-sessions 2:sslv2 3:sslv3 styled-output
  suppress-connect-headers tcp-fastopen tcp-nodelay tftp-no-options tls-earlydata 1:tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3
  tr-encoding trace-ids trace-time B:use-ascii v:verbose V:version xattr`)

type Option = { readonly name: string; readonly hasValue: boolean; readonly isOff?: boolean }

const byLetter = new Map<string, Option>(
  [[WITH_VALUE, true] as const, [WITHOUT_VALUE, false] as const].flatMap(([options, hasValue]) =>
    [...options].filter(([, letter]) => letter !== '').map(([name, letter]) => [letter, { name, hasValue }] as const),
  ),
)
const longOption = (word: string): Option | undefined => {
  if (WITH_VALUE.has(word)) return { name: word, hasValue: true }
  if (WITHOUT_VALUE.has(word)) return { name: word, hasValue: false }
  if (word.startsWith('no-') && WITHOUT_VALUE.has(word.slice(3)))
    return { name: word.slice(3), hasValue: false, isOff: true }
  if (word.startsWith('expand-') && WITH_VALUE.has(word.slice(7))) return { name: 'variable', hasValue: true }
  const [only, ...others] = [...WITH_VALUE.keys(), ...WITHOUT_VALUE.keys()].filter((name) => name.startsWith(word))
  return only === undefined || others.length > 0 ? undefined : { name: only, hasValue: WITH_VALUE.has(only) }
}

// --- The request ---

type Request = {
  /** Undefined if there is no address, or if the words after an unknown option are ambiguous. */
  readonly method?: string
  readonly target: string
  readonly headers: readonly HeaderPair[]
  readonly body: string
  /** The reason why the request is incomplete. */
  readonly unknown?: Fact
}

const NOTHING = { target: '', headers: [], body: '' }
/** A space becomes a plus, as in curl since 7.75. */
const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')

/** Encodes `content`, `=content` or `name=content`; undefined if the content is in a file. */
const urlEncoded = (value: string): string | undefined => {
  const at = value.search(/[=@]/)
  if (at < 0) return escaped(value)
  if (value[at] === '@') return undefined
  return at === 0 ? escaped(value.slice(1)) : `${value.slice(0, at + 1)}${escaped(value.slice(at + 1))}`
}

const BODIES: ReadonlySet<string> = new Set(['data', 'data-ascii', 'data-binary', 'data-raw', 'data-urlencode', 'json'])
/** Other options that change the request. */
const IN_REQUEST: ReadonlySet<string> = new Set([
  ...[...BODIES, 'header', 'user', 'cookie', 'url', 'url-query', 'request', 'request-target', 'oauth2-bearer'],
  ...['user-agent', 'referer', 'range'],
])
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const requestOf = ({ words, input }: Command): Request => {
  const all: Record<string, string[]> = {}
  const flags = new Set<string>()
  const addresses: string[] = []
  let [body, isJson, unknown] = ['', false, undefined as Fact | undefined]
  const open = (what: string): void => {
    unknown ??= ['not known', what]
  }
  const take = ({ name, hasValue, isOff }: Option, value: Word): void => {
    if (!hasValue) {
      if (isOff) flags.delete(name)
      else flags.add(name)
      return
    }
    if (value.isOpen && IN_REQUEST.has(name)) open(value.text)
    if (name === 'url') addresses.push(value.text)
    if (name === 'variable' || name === 'config' || name === 'aws-sigv4') open(`--${name} ${value.text}`)
    if (name === 'form' || name === 'form-string' || name === 'upload-file') open(`--${name} ${value.text}`)
    if (name === 'header' && value.text.startsWith('@')) open(`--header ${value.text}`)
    else all[name] = [...(all[name] ?? []), value.text]
    if (!BODIES.has(name)) return
    flags.add('data')
    isJson ||= name === 'json'
    const isFile = name !== 'data-raw' && name !== 'data-urlencode' && value.text.startsWith('@')
    const piped = value.text === '@-' ? input : undefined
    const part = isFile ? (name === 'data-binary' ? piped : piped?.replace(/[\r\n]/g, '')) : value.text
    const text = name === 'data-urlencode' && part !== undefined ? urlEncoded(part) : part
    if (text === undefined) open(`--${name} ${value.text}`)
    else body += (body === '' || name === 'json' ? '' : '&') + text
  }
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? { text: '', isOpen: false }
    const next = (): Word => words[++i] ?? { text: '', isOpen: false }
    if (!word.text.startsWith('-') || word.text === '-') {
      if (word.isOpen) open(word.text)
      addresses.push(word.text)
    } else if (word.text === '--next' || word.text === '-:') break
    else if (word.text.startsWith('--')) {
      const option = longOption(word.text.slice(2))
      if (option === undefined) return { ...NOTHING, unknown: ['unknown option', word.text] }
      take(option, option.hasValue ? next() : word)
    } else {
      for (let at = 1; at < word.text.length; at++) {
        const option = byLetter.get(word.text[at] ?? '')
        if (option === undefined) return { ...NOTHING, unknown: ['unknown option', `-${word.text[at]}`] }
        const rest = word.text.slice(at + 1)
        take(option, !option.hasValue || rest !== '' ? { text: rest, isOpen: word.isOpen } : next())
        if (option.hasValue) break
      }
    }
  }
  const last = (name: string): string | undefined => all[name]?.at(-1)
  const address = addressOf(addresses[0] ?? '', flags)
  if (address === undefined) return { ...NOTHING, ...(unknown && { unknown }) }
  const isQuery = flags.has('get')
  const added = [...(isQuery && flags.has('data') ? [body] : []), ...(all['url-query'] ?? []).map(queryPart)]
  const [path = '', query] = splitAt(last('request-target') ?? address.target, '?')
  const queries = [...(query === undefined ? [] : [query]), ...added].filter((part) => part !== '' || query === '')
  const target = queries.length === 0 ? path : `${path}?${queries.join('&')}`
  const sent = isQuery ? '' : body
  const hasBody = flags.has('data') && !isQuery
  const method =
    last('request') ??
    (flags.has('head')
      ? 'HEAD'
      : all['upload-file']
        ? 'PUT'
        : hasBody || all.form || all['form-string']
          ? 'POST'
          : 'GET')
  const own = (all.header ?? []).flatMap(headerIn)
  const has = (name: string): boolean => own.some(([key]) => key.toLowerCase() === name)
  const credentials = last('user') ?? address.credentials
  const cookies = (all.cookie ?? []).filter((cookie) => cookie.includes('='))
  const bearer = last('oauth2-bearer')
  const referer = last('referer')?.replace(/;auto$/, '')
  const range = last('range')
  const implied: readonly (readonly [string, string | undefined])[] = [
    ['Host', address.host],
    [
      'Authorization',
      bearer ? `Bearer ${bearer}` : credentials === undefined ? undefined : `Basic ${base64(credentials)}`,
    ],
    ['User-Agent', last('user-agent')],
    ['Accept', isJson ? 'application/json' : '*/*'],
    ['Range', range === undefined ? undefined : `bytes=${range}`],
    ['Referer', referer === '' ? undefined : referer],
    ['Content-Type', hasBody ? (isJson ? 'application/json' : 'application/x-www-form-urlencoded') : undefined],
  ]
  // A Cookie header does not replace --cookie: curl sends both.
  const headers = [
    ...implied.flatMap(([name, value]): HeaderPair[] =>
      value === undefined || value === '' || has(name.toLowerCase()) ? [] : [[name, value]],
    ),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join(';')] as const]),
    ...own.flatMap(([name, value]): HeaderPair[] => (value === undefined ? [] : [[name, value]])),
  ]
  return { method, target, headers, body: sent, ...(unknown && { unknown }) }
}

const splitAt = (text: string, sign: string): readonly [string, string?] => {
  const at = text.indexOf(sign)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

const queryPart = (value: string): string => (value.startsWith('+') ? value.slice(1) : (urlEncoded(value) ?? ''))

/** `Name:` removes a header that curl would send, `Name;` sends an empty header. */
const headerIn = (text: string): readonly (readonly [string, string | undefined])[] => {
  const colon = text.indexOf(':')
  if (colon >= 0) {
    const value = text.slice(colon + 1).trim()
    return [[text.slice(0, colon), value === '' ? undefined : value]]
  }
  return text.endsWith(';') ? [[text.slice(0, -1), '']] : []
}

type Address = { readonly host: string; readonly target: string; readonly credentials?: string }

/** The address as curl sends it: only `.` and `..` are resolved. For `{a,b}` and `[1-3]`, the first value is used. */
const addressOf = (given: string, flags: ReadonlySet<string>): Address | undefined => {
  const first = flags.has('globoff')
    ? given
    : given.replace(/\{([^{},]*)(?:,[^{}]*)?\}/g, '$1').replace(/\[([A-Za-z0-9]+)-[A-Za-z0-9]+(?::\d+)?\]/g, '$1')
  const [, scheme = 'http', authority = '', rest = ''] = /^(?:(https?):\/\/\/?)?([^/?#]*)([^#]*)/i.exec(first) ?? []
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  if (host === '' || /\s/.test(host + rest)) return undefined
  const usual = scheme.toLowerCase() === 'https' ? ':443' : ':80'
  const [path = '', query] = splitAt(rest, '?')
  const whole = path === '' ? '/' : flags.has('path-as-is') ? path : withoutDots(path)
  return {
    host: host.endsWith(usual) ? host.slice(0, -usual.length) : host,
    target: query === undefined ? whole : `${whole}?${query}`,
    ...(at < 0 ? {} : { credentials: decodeURIComponent(authority.slice(0, at)) }),
  }
}

/** RFC 3986 §5.2.4. */
const withoutDots = (path: string): string => {
  const parts: string[] = []
  const all = path.split('/').slice(1)
  for (const [nth, part] of all.entries()) {
    const isLast = nth === all.length - 1
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
    if (isLast && (part === '.' || part === '..')) parts.push('')
  }
  return `/${parts.join('/')}`
}

// --- The words, as a shell reads them ---

/** `isOpen`: the word contains a variable or a command substitution. */
type Word = { readonly text: string; readonly isOpen: boolean }
type Command = { readonly words: readonly Word[]; readonly input: string | undefined }

/** The output of a printf, if the command is one with a format only. */
const printedBy = (command: string): string | undefined => {
  const format = /^printf '((?:[^']|'\\'')*)'$/.exec(command)?.[1]
  if (format === undefined) return undefined
  const octets = format
    .replaceAll(`'\\''`, "'")
    .replace(/\\([0-7]{1,3}|.)/gs, (_, code: string) =>
      /^[0-7]/.test(code)
        ? String.fromCharCode(Number.parseInt(code, 8))
        : ({ n: '\n', t: '\t', r: '\r' }[code] ?? code),
    )
  if (/[^\0-\xff]/.test(octets)) return octets
  return new TextDecoder().decode(Uint8Array.from(octets, (sign) => sign.charCodeAt(0)))
}

/** Escapes in `$'…'`. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
}
const dollarQuoted = (text: string): string =>
  text.replace(
    /\\(?:u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))/gs,
    (_, u, U, x, octal, sign) =>
      (u ?? U ?? x ?? octal)
        ? String.fromCodePoint(Number.parseInt(u ?? U ?? x ?? octal, octal === undefined ? 16 : 8))
        : (ESCAPES[sign] ?? sign),
  )

const PIECES =
  /(?<gap>\\\r?\n|[ \t\r]+)|(?<end>\n|;|&&|\|\|?|&(?!>)|\d?>&?\d?|<)|'(?<single>[^']*)'|\$'(?<dollar>(?:\\.|[^'\\])*)'|"(?<double>(?:\\.|\$\((?:[^()'"]|'[^']*'|"[^"]*")*\)|[^"\\])*)"|\$\((?<command>[^()]*)\)|`(?<old>[^`]*)`|\\(?<escaped>.)|(?<bare>[^\s'"\\;&|<>$`]+|\$)|./gsu

/** The first curl command; a command piped into it may be its input. */
const commandIn = (text: string): Command | undefined => {
  const [, before = '', rest] =
    /^(?:[$>] )?((?:[A-Za-z_]\w*=\S*\s+)*|printf '(?:[^']|'\\'')*' \|\s*)curl(?=\s)(.*)$/s.exec(text) ?? []
  if (rest === undefined) return undefined
  const words: Word[] = []
  let word: Word | undefined
  const add = (text: string, isOpen = false): void => {
    word = { text: (word?.text ?? '') + text, isOpen: isOpen || word?.isOpen === true }
  }
  for (const { 0: all, groups = {} } of rest.matchAll(PIECES)) {
    const { gap, end, single, dollar, double, command, old, escaped, bare } = groups
    // A redirection after a word that is a number belongs to the shell; a comment ends the line.
    if (gap !== undefined || end !== undefined || (word === undefined && bare?.startsWith('#') === true)) {
      if (word !== undefined) words.push(word)
      word = undefined
      if (gap === undefined) break
    } else if (single !== undefined) add(single)
    else if (dollar !== undefined) add(dollarQuoted(dollar))
    else if (double !== undefined) {
      const printed = printedBy(/^\$\((.*)\)$/s.exec(double)?.[1] ?? '')
      if (printed === undefined)
        add(
          double.replace(/\\(["\\$`]|\r?\n)/g, (_, sign: string) => (/[\r\n]/.test(sign) ? '' : sign)),
          /(?<!\\)[$`]/.test(double),
        )
      else add(printed)
    } else if (command !== undefined || old !== undefined || bare === '$') add(all, true)
    else add(escaped ?? bare ?? all)
  }
  if (word !== undefined) words.push(word)
  return { words, input: printedBy(before.replace(/\s*\|\s*$/, '')) }
}
