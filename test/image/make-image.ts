import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'
import { writeArchive } from './image-archive.ts'
import { imageConfig } from './image-config.ts'
import { ARCHITECTURES, makeProgram, makeSystem } from './root-file-system.ts'

/**
 * npm run image [-- x64|arm64 ...]: dist/handset-VERSION-linux-ARCH.oci.tar, or dist/handset-VERSION.oci.tar with several architectures in it, on Debian,
 * without a daemon and a registry: docs/decisions/0035.
 */
const asked = process.argv.slice(2)
const machines = asked.length === 0 ? [process.arch] : [...new Set(asked)]
const unknown = machines.find((one) => ARCHITECTURES[one] === undefined)
if (process.platform !== 'linux' || unknown !== undefined)
  throw new Error(`The image is made on Linux, for x64 or arm64; got ${unknown ?? process.platform}.`)

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const work = join(ROOT, 'dist/image')
const commit = execFileSync('git', ['log', '-1', '--format=%H %cI'], { cwd: ROOT, encoding: 'utf8' })
const [revision = '', created = ''] = commit.trim().split(' ')
rmSync(work, { recursive: true, force: true })
const platforms = machines.map((arch) => {
  const [system, program] = [join(work, arch, 'system'), join(work, arch, 'program')]
  makeSystem(system, join(work, arch, 'packages'), arch)
  makeProgram(program, arch)
  return {
    architecture: ARCHITECTURES[arch] ?? arch,
    layers: [
      { folder: system, says: 'Node and the libraries that it needs, from Debian' },
      { folder: program, says: 'Handset, as its npm package has it' },
    ],
  }
})
const [only, ...others] = platforms
const suffix = others.length === 0 ? `-linux-${only?.architecture}` : ''
const file = join(ROOT, `dist/handset-${version}${suffix}.oci.tar`)
writeArchive(
  { name: `handset:${version}`, created, platforms, ...imageConfig({ version, revision, created }) },
  { folder: join(work, 'layout'), file },
)
console.log(`${file}  ${(statSync(file).size / 1024 ** 2).toFixed(1)} MB`)
