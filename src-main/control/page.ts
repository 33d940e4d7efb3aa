import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from '../http/message.ts'
import { staticFiles } from '../http/static-files.ts'

const NOT_BUILT = `Handset is running, but its page has not been built.

Build it with    npm run build
or use the command line and the control interface at /control/v1.
`

/** The built page, at the root and below every workspace. */
export const createPage = (folder: string): Mount => {
  const built = staticFiles(folder)
  return {
    ...built,
    answer: async (request) => {
      if (request.path === '/' && !existsSync(join(folder, 'index.html'))) {
        return { status: 503, headers: [['Content-Type', 'text/plain; charset=utf-8']], body: NOT_BUILT }
      }
      return built.answer(request)
    },
  }
}
