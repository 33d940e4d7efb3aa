import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from '../support/imports.ts'
import { imageConfig } from './image-config.ts'
import { ARCHITECTURES, makeProgram, makeSystem } from './root-file-system.ts'

type ImageConfig = Readonly<Record<string, unknown>>

type Image = {
  readonly name: string
  readonly architecture: string
  readonly created: string
  /** Folders, the lowest first. */
  readonly layers: readonly { readonly folder: string; readonly says: string }[]
  /** As Docker and the OCI image specification have it. */
  readonly config: ImageConfig
  readonly annotations: Readonly<Record<string, string>>
}

/**
 * One file with an image layout of OCI in it (image-spec v1.1), which skopeo, podman, buildah, containerd and Docker from 25 read;
 * `manifest.json` is what older ones look for. Layer for layer the same octets from the same folders.
 */
const writeArchive = (image: Image, { folder, file }: { readonly folder: string; readonly file: string }): void => {
  const { architecture, config, created, layers, name } = image
  const blobs = join(folder, 'blobs/sha256')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(blobs, { recursive: true })
  const keep = (mediaType: string, octets: Uint8Array) => {
    const hex = sha256(octets)
    writeFileSync(join(blobs, hex), octets)
    return { mediaType, digest: `sha256:${hex}`, size: octets.length }
  }
  const keepJson = (mediaType: string, value: unknown) => keep(mediaType, Buffer.from(JSON.stringify(value)))

  const packed = layers.map(({ folder: source, says }) => {
    const tar = tarOf(source)
    return {
      says,
      diffId: `sha256:${sha256(tar)}`,
      blob: keep('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(tar)),
    }
  })
  const configBlob = keepJson('application/vnd.oci.image.config.v1+json', {
    created,
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: packed.map(({ diffId }) => diffId) },
    history: packed.map(({ says }) => ({ created, created_by: says })),
  })
  const manifest = keepJson('application/vnd.oci.image.manifest.v1+json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: configBlob,
    layers: packed.map(({ blob }) => blob),
    annotations: image.annotations,
  })
  const write = (path: string, value: unknown): void => writeFileSync(join(folder, path), JSON.stringify(value))
  write('oci-layout', { imageLayoutVersion: '1.0.0' })
  write('index.json', {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        ...manifest,
        platform: { architecture, os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': name.split(':')[1], 'io.containerd.image.name': name },
      },
    ],
  })
  const pathOf = ({ digest }: { readonly digest: string }): string => `blobs/sha256/${digest.slice('sha256:'.length)}`
  write('manifest.json', [
    { Config: pathOf(configBlob), RepoTags: [name], Layers: packed.map(({ blob }) => pathOf(blob)) },
  ])
  writeFileSync(file, tarOf(folder))
}

const sha256 = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex')

/** Sorted, without owners and times. */
const REPEATABLE = '--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=gnu'
const tarOf = (folder: string): Buffer =>
  execFileSync('tar', [...REPEATABLE.split(' '), '-C', folder, '-cf', '-', '.'], { maxBuffer: 1024 ** 3 })

/** npm run image [-- x64|arm64]: dist/handset-VERSION-linux-ARCH.oci.tar, on Debian, without a daemon and a registry: docs/decisions/0035. */
const [arch = process.arch] = process.argv.slice(2)
const architecture = ARCHITECTURES[arch]
if (process.platform !== 'linux' || architecture === undefined)
  throw new Error(`The image is made on Linux, for x64 or arm64; got ${arch}.`)

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const work = join(ROOT, 'dist/image')
const file = join(ROOT, `dist/handset-${version}-linux-${architecture}.oci.tar`)
const commit = execFileSync('git', ['log', '-1', '--format=%H %cI'], { cwd: ROOT, encoding: 'utf8' })
const [revision = '', created = ''] = commit.trim().split(' ')
rmSync(work, { recursive: true, force: true })
makeSystem(join(work, 'system'), join(work, 'packages'), arch)
makeProgram(join(work, 'program'), arch)
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
