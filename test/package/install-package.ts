import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'

export type Installed = {
  /** An empty folder of somebody else's, in which only the package was installed. */
  readonly folder: string
  readonly tarball: string
  /** What `npm pack` says of it. */
  readonly packed: { readonly size: number; readonly files: readonly { readonly path: string }[] }
}

/** Packs dist/package and installs the tarball. */
export const installPackage = (): Installed & { remove(): void } => {
  const made = join(ROOT, 'dist/package')
  if (!existsSync(join(made, 'package.json'))) throw new Error('There is no dist/package: run "npm run pack" first.')
  const folder = mkdtempSync(join(tmpdir(), 'handset-installed-'))
  const npm = (args: readonly string[], cwd: string): string =>
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], made))
  const tarball = join(folder, packed.filename)
  writeFileSync(join(folder, 'package.json'), '{"name":"of-somebody-else","private":true}')
  npm(['install', '--save-dev', '--ignore-scripts', '--no-audit', '--no-fund', tarball], folder)
  if (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).devDependencies.handset === undefined) {
    throw new Error('npm did not install the package.')
  }
  return { folder, tarball, packed, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
