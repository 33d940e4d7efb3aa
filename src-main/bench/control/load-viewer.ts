import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { inPage, type Viewer } from '../../views/report/viewer-page.ts'

/** The page's timeline and inspector as one script, which is there once the page is built. */
export const loadViewer = (pageFolder: string): Result<Viewer, string> => {
  const folder = join(pageFolder, 'viewer')
  try {
    const script = inPage(readFileSync(join(folder, 'viewer.js'), 'utf8'))
    const style = readFileSync(join(folder, 'viewer.css'), 'utf8')
    return ok({ script, style, sha256: createHash('sha256').update(script).digest('base64') })
  } catch {
    return err(
      `the page is not built, and its timeline goes into HTML. There is none in ${folder}: "npm run build" makes it.`,
    )
  }
}
