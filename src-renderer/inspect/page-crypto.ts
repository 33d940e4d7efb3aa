import { createWebCrypto } from './web-crypto.ts'

export { pageSigningCrypto } from './sha256.ts'

/** Only a page from this machine or over HTTPS has WebCrypto. */
export const HAS_WEB_CRYPTO = globalThis.crypto?.subtle !== undefined

export const pageCrypto = createWebCrypto(globalThis.crypto?.subtle)
