import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { refuse, refuseMethod } from '../core/contract/errors.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { refusalResponse } from './envelope-response.ts'
import type { Mount, RawResponse } from './message.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}

/** Scripts and styles come from our own files only; nothing may frame the page. */
export const pageHeaders: readonly HeaderPair[] = [
  [
    'Content-Security-Policy',
    [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "font-src 'self'",
      "connect-src 'self'",
      "media-src 'self' blob:",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  ],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['X-Frame-Options', 'DENY'],
]

/** A path of plain names only: it cannot leave the folder or name a hidden file. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$/

/** `/` is the folder's index.html; files under /assets/ have their hash in their name. */
export const createStaticMount = (folder: string, prefix = '/'): Mount => {
  const read = createFileReader()
  return {
    prefix,
    bodyLimit: () => 0,
    answer: async ({ method, path }) => {
      if (method !== 'GET' && method !== 'HEAD') {
        return refusalResponse(refuseMethod(['GET', 'HEAD']))
      }
      const name = path === '/' || path === '' ? '/index.html' : path
      const content = PLAIN_PATH.test(name) ? await read(join(folder, name)) : undefined
      if (content === undefined) return refusalResponse(refuse('no_route'))
      return fileResponse(name, content)
    },
  }
}

const fileResponse = (name: string, content: Uint8Array): RawResponse => ({
  status: 200,
  headers: [
    ['Content-Type', TYPES[extname(name)] ?? 'application/octet-stream'],
    ['Cache-Control', name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ...pageHeaders,
  ],
  body: content,
})

type Kept = { readonly version: string; readonly content: Promise<Uint8Array> }

/** Reads a file again only after a change. All answers share its bytes, so many take no more memory than one. */
const createFileReader = (): ((file: string) => Promise<Uint8Array | undefined>) => {
  const kept = new Map<string, Kept>()
  return async (file) => {
    try {
      const info = await stat(file)
      if (!info.isFile()) return undefined
      const version = `${info.mtimeMs} ${info.size}`
      const known = kept.get(file)
      if (known?.version === version) return await known.content
      const content = readFile(file)
      kept.set(file, { version, content })
      return await content
    } catch {
      kept.delete(file)
      return undefined
    }
  }
}
