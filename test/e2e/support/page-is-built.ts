import { existsSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** Asked once before all tests, so that they do not each fail for it. */
export default function pageIsBuilt(): void {
  if (!existsSync(join(ROOT, 'out/renderer/index.html'))) throw new Error('The page is not built: npm run build')
}
