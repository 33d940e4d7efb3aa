import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from '../../core/contract/errors.ts'
import { isPageAddress } from '../../core/contract/page-address.ts'
import { toBase64url } from '../../core/protocol/bytes.ts'
import type { Log } from '../../core/protocol/log.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import { findHeader, type Mount, nowMicros, type RawRequest, type RawResponse } from '../../http/message.ts'
import { createStaticMount, pageHeaders } from '../../http/static-files.ts'
import { escapeScript, type Viewer } from '../../views/report/html-template.ts'
import { processMount } from './drain.ts'

const NOT_BUILT = `Handset is running, but its page has not been built.

Build it with    npm run build
or use the command line and the control interface at /control/v1.
`

/** The desktop window shows text without a content policy only if it cannot be interpreted as HTML. */
const TEXT_ONLY = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/** Where `npm run build` puts the page. */
export const builtPageFolder = (root: string): string => join(root, 'out/renderer')

/** Logged paths are cut to this length. */
const LONGEST_PATH = 200

/** True for a browser that follows a link or a typed address; programs read the envelope. */
const isReadByPeople = ({ headers }: RawRequest): boolean =>
  findHeader(headers, 'accept')?.split(',')[0]?.trim() === 'text/html'

/** The page also gets requests that no other mount takes. */
export const createPage = (folder: string, log: Log): Mount => {
  const built = createStaticMount(folder)
  const page = async (request: RawRequest): Promise<RawResponse> => {
    const response = await built.answer({ ...request, path: '/' })
    return response.status === 404 ? { status: 503, headers: TEXT_ONLY, body: NOT_BUILT } : response
  }
  const answer = async (request: RawRequest): Promise<RawResponse> => {
    if (request.path === '/' || isPageAddress(request.path)) return page(request)
    const response = await built.answer(request)
    if (response.status !== 404 || !isReadByPeople(request)) return response
    const says = await page(request)
    return says.status === 200 ? { ...says, status: 404 } : response
  }
  return {
    ...built,
    // For a link to a closed workspace, the page shows that it is closed, not JSON.
    ofAbsent: true,
    answer: async (request) => {
      const response = await answer(request)
      const { id, workspace, method, path, arrived } = request
      const where = path.slice(0, LONGEST_PATH)
      const { status } = response
      const took_us = nowMicros() - arrived
      log({ level: 'info', event: 'page request', request: id, workspace, method, path: where, status, took_us })
      return response
    },
  }
}

/** Files that this process hands to its own page, each at a secret address, until it is withdrawn. */
export const createOfferedFiles = (source: RandomSource) => {
  const files = new Map<string, Uint8Array>()
  const mount = processMount('/offered', async ({ method, path }) => {
    const body = method === 'GET' ? files.get(path) : undefined
    if (body === undefined) return refusalResponse(refuse('no_route'))
    return { status: 200, headers: [...BYTES_ALONE, ...pageHeaders], body }
  })
  const offer = (bytes: Uint8Array) => {
    const path = `/${toBase64url(source.bytes(24))}`
    files.set(path, bytes)
    return { path: `/offered${path}`, withdraw: () => void files.delete(path) }
  }
  return { mount, offer }
}

const BYTES_ALONE = [
  ['Content-Type', 'application/octet-stream'],
  ['Cache-Control', 'no-store'],
] as const

/** The page's timeline and inspector as one script, which exists once the page is built. */
export const loadViewer = (pageFolder: string): Result<Viewer, string> => {
  const folder = join(pageFolder, 'viewer')
  try {
    const script = escapeScript(readFileSync(join(folder, 'viewer.js'), 'utf8'))
    const style = readFileSync(join(folder, 'viewer.css'), 'utf8')
    return ok({ script, style, sha256: createHash('sha256').update(script).digest('base64') })
  } catch {
    return err(
      `the page is not built, and its timeline goes into HTML. There is none in ${folder}: "npm run build" makes it.`,
    )
  }
}
