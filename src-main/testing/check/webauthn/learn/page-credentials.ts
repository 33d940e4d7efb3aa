import type { AuthenticationResponseJson, RegistrationResponseJson } from '../../../../core/protocol/webauthn-json.ts'

/** A page's call of `navigator.credentials`, as the script sends it; octets are base64url. */
export type CredentialCall = {
  readonly kind: 'create' | 'get'
  readonly origin: string
  readonly crossOrigin: boolean
  /** `conditional`: the browser may offer a passkey in a field, and answers when the user takes it. */
  readonly mediation?: string
  readonly options: Readonly<Record<string, unknown>>
}

export type CredentialAnswer =
  | { readonly response: CredentialJson }
  | { readonly refused: { readonly name: string; readonly message: string } }

type CredentialJson = RegistrationResponseJson | AuthenticationResponseJson

/** The binding that the script calls. */
export const ASK_BINDING = '__handsetAsk'

/**
 * Replaces the authenticator of `navigator.credentials` by ours. It runs in the page before the page's own scripts, so
 * it uses nothing from outside its body. DevTools' authenticator would not do: it cannot make mistakes.
 */
export const standInForCredentials = (): void => {
  const page = globalThis as unknown as Record<string, unknown>
  const ask = (asked: CredentialCall): Promise<CredentialAnswer> =>
    (page.__handsetAsk as (asked: CredentialCall) => Promise<CredentialAnswer>)(asked)

  const isBuffer = (value: unknown): value is BufferSource =>
    ArrayBuffer.isView(value) || Object.prototype.toString.call(value) === '[object ArrayBuffer]'
  const toText = (source: BufferSource): string => {
    const bytes = ArrayBuffer.isView(source)
      ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
      : new Uint8Array(source)
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  }
  const toBuffer = (text: unknown): ArrayBuffer =>
    Uint8Array.from(atob(String(text).replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0)).buffer
  const asJson = (value: unknown): unknown => {
    if (isBuffer(value)) return toText(value)
    if (Array.isArray(value)) return value.map(asJson)
    if (typeof value !== 'object' || value === null) return value
    const given = Object.entries(value).filter(([, each]) => each !== undefined)
    return Object.fromEntries(given.map(([key, each]) => [key, asJson(each)]))
  }
  /** Throws like a browser if the page gives text instead of octets. */
  const mustBeBuffer = (value: unknown, where: string): void => {
    if (!isBuffer(value)) throw new TypeError(`${where} is neither an ArrayBuffer nor a view of one`)
  }
  const described = (list: unknown, change: (id: unknown) => unknown): unknown =>
    Array.isArray(list) ? list.map((each) => ({ ...each, id: change(each.id) })) : list

  type Json = Readonly<Record<string, unknown>>
  const toBufferOrNull = (value: unknown): ArrayBuffer | null => (value === undefined ? null : toBuffer(value))
  const octets = (json: Json, ...names: readonly string[]): Readonly<Record<string, ArrayBuffer | null>> =>
    Object.fromEntries(names.map((name) => [name, toBufferOrNull(json[name])]))

  class AuthenticatorAttestationResponse {
    readonly #json: Json
    constructor(json: Json) {
      this.#json = json
      Object.assign(this, octets(json, 'clientDataJSON', 'attestationObject'))
    }
    getTransports(): readonly string[] {
      return [...(this.#json.transports as readonly string[])]
    }
    getAuthenticatorData(): ArrayBuffer {
      return toBuffer(this.#json.authenticatorData)
    }
    getPublicKey(): ArrayBuffer | null {
      return toBufferOrNull(this.#json.publicKey)
    }
    getPublicKeyAlgorithm(): unknown {
      return this.#json.publicKeyAlgorithm
    }
  }
  class AuthenticatorAssertionResponse {
    constructor(json: Json) {
      Object.assign(this, octets(json, 'clientDataJSON', 'authenticatorData', 'signature', 'userHandle'))
    }
  }
  class PublicKeyCredential {
    readonly #json: CredentialJson
    constructor(kind: CredentialCall['kind'], json: CredentialJson) {
      this.#json = json
      const { id, type, authenticatorAttachment = null } = json
      const Response = kind === 'create' ? AuthenticatorAttestationResponse : AuthenticatorAssertionResponse
      const response = new Response(json.response as unknown as Json)
      Object.assign(this, { id, rawId: toBuffer(json.rawId), type, authenticatorAttachment, response })
    }
    getClientExtensionResults(): unknown {
      return structuredClone(this.#json.clientExtensionResults)
    }
    toJSON(): unknown {
      return structuredClone(this.#json)
    }
    static async isConditionalMediationAvailable(): Promise<boolean> {
      return true
    }
    static async isUserVerifyingPlatformAuthenticatorAvailable(): Promise<boolean> {
      return true
    }
    static async getClientCapabilities(): Promise<Readonly<Record<string, boolean>>> {
      return { conditionalGet: true, passkeyPlatformAuthenticator: true, userVerifyingPlatformAuthenticator: true }
    }
    static parseCreationOptionsFromJSON(options: Record<string, unknown>): unknown {
      const user = options.user as Record<string, unknown>
      return {
        ...options,
        challenge: toBuffer(options.challenge),
        user: { ...user, id: toBuffer(user.id) },
        excludeCredentials: described(options.excludeCredentials ?? [], toBuffer),
      }
    }
    static parseRequestOptionsFromJSON(options: Record<string, unknown>): unknown {
      const { challenge, allowCredentials = [] } = options
      return { ...options, challenge: toBuffer(challenge), allowCredentials: described(allowCredentials, toBuffer) }
    }
  }

  const aborted = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => {
      if (signal?.aborted === true) reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    })

  type Wanted = { publicKey?: Record<string, unknown>; signal?: AbortSignal; mediation?: string }
  const own = navigator.credentials as CredentialsContainer | undefined
  /** For passwords and other credentials. */
  const others = own && { create: own.create.bind(own), get: own.get.bind(own) }

  const answer = async (kind: 'create' | 'get', wanted: Wanted = {}): Promise<unknown> => {
    const { publicKey, signal, mediation } = wanted
    if (publicKey === undefined) {
      if (others === undefined) throw new DOMException('no such credentials here', 'NotSupportedError')
      return others[kind](wanted as object)
    }
    mustBeBuffer(publicKey.challenge, 'challenge')
    if (kind === 'create') mustBeBuffer((publicKey.user as Record<string, unknown> | undefined)?.id, 'user.id')
    for (const list of [publicKey.excludeCredentials, publicKey.allowCredentials])
      described(list, (id) => mustBeBuffer(id, 'the id of a credential'))
    const options = asJson(publicKey) as Record<string, unknown>
    const crossOrigin = globalThis.top !== globalThis.self
    const asked = { kind, origin: location.origin, crossOrigin, options }
    const answered = await Promise.race([
      ask(mediation === undefined ? asked : { ...asked, mediation }),
      aborted(signal),
    ])
    if ('refused' in answered) throw new DOMException(answered.refused.message, answered.refused.name)
    return new PublicKeyCredential(kind, answered.response)
  }

  const container = own ?? {}
  Object.defineProperties(container, {
    create: { value: (wanted: Wanted) => answer('create', wanted), configurable: true },
    get: { value: (wanted: Wanted) => answer('get', wanted), configurable: true },
  })
  if (own === undefined) Object.defineProperty(navigator, 'credentials', { value: container, configurable: true })
  const classes = { PublicKeyCredential, AuthenticatorAttestationResponse, AuthenticatorAssertionResponse }
  for (const [name, value] of Object.entries(classes))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
}
