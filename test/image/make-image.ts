import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/imports.ts'
import { imageConfig } from './image-config.ts'
import { writeArchive } from './oci-archive.ts'
import { makeProgram, makeSystem } from './root-file-system.ts'

/** npm run image: dist/handset-VERSION-linux-ARCH.oci.tar, on Debian, without a daemon and a registry: docs/decisions/0035. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const architecture = ARCHITECTURES[process.arch]
if (process.platform !== 'linux' || architecture === undefined)
  throw new Error('The image is made on Linux, on x64 or arm64.')

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const work = join(ROOT, 'dist/image')
const file = join(ROOT, `dist/handset-${version}-linux-${architecture}.oci.tar`)
const [revision = '', created = ''] = execFileSync('git', ['log', '-1', '--format=%H %cI'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split(' ')
rmSync(work, { recursive: true, force: true })
makeSystem(join(work, 'system'), join(work, 'packages'))
makeProgram(join(work, 'program'))
const { annotations, config } = imageConfig({ version, revision, created })
writeArchive(
  {
    name: `handset:${version}`,
    architecture,
    created,
    layers: [
      { folder: join(work, 'system'), says: 'Node and the libraries that it needs, from Debian' },
      { folder: join(work, 'program'), says: 'Handset, as its npm package has it' },
    ],
    config,
    annotations,
  },
  { folder: join(work, 'layout'), file },
)
console.log(`${file}  ${(statSync(file).size / 1024 ** 2).toFixed(1)} MB`)
