import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

type ImageConfig = Readonly<Record<string, unknown>>

type Image = {
  readonly name: string
  readonly created: string
  readonly platforms: readonly {
    readonly architecture: string
    /** Folders, the lowest first. */
    readonly layers: readonly { readonly folder: string; readonly says: string }[]
  }[]
  /** As Docker and the OCI image specification have it. */
  readonly config: ImageConfig
  readonly annotations: Readonly<Record<string, string>>
}

const TYPE = 'application/vnd.oci.image'

/**
 * One file with an image layout of OCI in it (image-spec v1.1), which skopeo, podman, buildah, containerd and Docker from 25 read;
 * `manifest.json` is what older ones look for: it has no platforms. Layer for layer the same octets from the same folders.
 */
export const writeArchive = (
  image: Image,
  { folder, file }: { readonly folder: string; readonly file: string },
): void => {
  const { config, created, name, platforms } = image
  const blobs = join(folder, 'blobs/sha256')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(blobs, { recursive: true })
  const keep = (mediaType: string, octets: Uint8Array) => {
    const hex = sha256(octets)
    writeFileSync(join(blobs, hex), octets)
    return { mediaType: `${TYPE}.${mediaType}`, digest: `sha256:${hex}`, size: octets.length }
  }
  const keepJson = (mediaType: string, value: unknown) => keep(mediaType, Buffer.from(JSON.stringify(value)))

  const made = platforms.map(({ architecture, layers }) => {
    const packed = layers.map(({ folder: source, says }) => {
      const tar = tarOf(source)
      return { says, diffId: `sha256:${sha256(tar)}`, blob: keep('layer.v1.tar+gzip', gzipSync(tar)) }
    })
    const configBlob = keepJson('config.v1+json', {
      created,
      architecture,
      os: 'linux',
      config,
      rootfs: { type: 'layers', diff_ids: packed.map(({ diffId }) => diffId) },
      history: packed.map(({ says }) => ({ created, created_by: says })),
    })
    const content = { config: configBlob, layers: packed.map(({ blob }) => blob), annotations: image.annotations }
    const mediaType = `${TYPE}.manifest.v1+json`
    const manifest = keepJson('manifest.v1+json', { schemaVersion: 2, mediaType, ...content })
    return { ...content, manifest: { ...manifest, platform: { architecture, os: 'linux' } } }
  })
  const write = (path: string, value: unknown): void => writeFileSync(join(folder, path), JSON.stringify(value))
  const indexOf = (manifests: readonly unknown[]) => ({
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests,
  })
  const [only, ...others] = made
  const entry =
    others.length === 0 ? only?.manifest : keepJson('index.v1+json', indexOf(made.map(({ manifest }) => manifest)))
  const annotations = { 'org.opencontainers.image.ref.name': name.split(':')[1], 'io.containerd.image.name': name }
  write('oci-layout', { imageLayoutVersion: '1.0.0' })
  write('index.json', indexOf([{ ...entry, annotations }]))
  const pathOf = ({ digest }: { readonly digest: string }): string => `blobs/sha256/${digest.slice('sha256:'.length)}`
  if (only !== undefined && others.length === 0) {
    write('manifest.json', [{ Config: pathOf(only.config), RepoTags: [name], Layers: only.layers.map(pathOf) }])
  }
  writeFileSync(file, tarOf(folder))
}

const sha256 = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex')

/** Sorted, without owners and times. */
const REPEATABLE = '--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --format=gnu'
const tarOf = (folder: string): Buffer =>
  execFileSync('tar', [...REPEATABLE.split(' '), '-C', folder, '-cf', '-', '.'], { maxBuffer: 1024 ** 3 })
