import { hash, randomBytes } from 'node:crypto'
import { type Bytes, concat } from '../../core/protocol/bytes.ts'
import type { RandomSource, RandomStreams } from '../../core/protocol/random.ts'

export type RandomOptions = {
  /** Without a seed, values are truly random and have no positions. */
  readonly seed?: number
  /** How often this data directory was started before: a seeded bench must not repeat the ids it already gave out. */
  readonly boot?: number
}

/** The only source of random values. */
export type BenchRandom = RandomStreams & {
  seedWorkspace(workspace: string, seed: number): void
  seedOf(workspace: string): number | undefined
}

export const createRandom = ({ seed: benchSeed, boot = 0 }: RandomOptions = {}): BenchRandom => {
  const seeds = new Map<string, number>()
  const streams = new Map<string, Map<string, SeededSource>>()
  const seedOf = (workspace: string): number | undefined => seeds.get(workspace) ?? benchSeed

  const seeded = (workspace: string, name: string, seed: number): SeededSource => {
    const own = streams.get(workspace) ?? new Map<string, SeededSource>()
    streams.set(workspace, own)
    const source = own.get(name) ?? createSeededSource([String(seed), String(boot), workspace, name])
    own.set(name, source)
    return source
  }

  return {
    stream: (workspace, entity, purpose) => {
      const seed = seedOf(workspace)
      // Unambiguous, since neither part can have a NUL.
      return seed === undefined ? trulyRandom : seeded(workspace, `${entity}\0${purpose}`, seed)
    },
    positions: (workspace) =>
      Object.fromEntries([...(streams.get(workspace) ?? [])].map(([name, { position }]) => [name, position()])),
    restore: (workspace, positions) => {
      const seed = seedOf(workspace)
      // Callers hold on to sources, so these are rewound rather than dropped.
      for (const source of streams.get(workspace)?.values() ?? []) source.moveTo(0)
      if (seed === undefined) return
      for (const [name, position] of Object.entries(positions)) seeded(workspace, name, seed).moveTo(position)
    },
    forget: (workspace) => {
      streams.delete(workspace)
      seeds.delete(workspace)
    },
    seedWorkspace: (workspace, seed) => {
      seeds.set(workspace, seed)
      streams.delete(workspace)
    },
    seedOf,
  }
}

/** Octets per call of the system: a call for each value would cost more than the rest of most requests. */
const PAGE = 4096
let page = new Uint8Array(0)
let used = 0

const trulyRandom: RandomSource = {
  repeatable: false,
  bytes: (count) => {
    if (count > PAGE) return new Uint8Array(randomBytes(count))
    if (used + count > page.length) {
      page = new Uint8Array(randomBytes(PAGE))
      used = 0
    }
    const bytes = page.slice(used, used + count)
    // Each octet is given out once, and no copy is kept.
    page.fill(0, used, used + count)
    used += count
    return bytes
  },
}

/** HMAC (RFC 2104) by one-shot hashes, for keys up to one block: a node:crypto Hmac costs more to make than to use. */
const hmacSha256 = (key: Uint8Array): ((text: string) => Uint8Array) => {
  const padded = Buffer.alloc(HASH_BLOCK)
  padded.set(key)
  const inner = padded.map((byte) => byte ^ 0x36)
  const outer = padded.map((byte) => byte ^ 0x5c)
  return (text) => {
    const digest = hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')
    return hash('sha256', Buffer.concat([outer, digest]), 'buffer')
  }
}

const HASH_BLOCK = 64
const secretOf = hmacSha256(Buffer.from('handset random streams v1'))

type SeededSource = RandomSource & { position(): number; moveTo(position: number): void }

const BLOCK = 32

/** HMAC-SHA256 in counter mode under a key made of the stream's name. */
const createSeededSource = (name: readonly string[]): SeededSource => {
  const blockOf = hmacSha256(secretOf(JSON.stringify(name)))
  let next = 0
  // One block has two values of 16 octets.
  let latest: { readonly index: number; readonly octets: Uint8Array } | undefined
  const block = (index: number): Uint8Array => {
    if (latest?.index !== index) {
      latest = { index, octets: blockOf(String(index)) }
    }
    return latest.octets
  }
  return {
    repeatable: true,
    bytes: (count): Bytes => {
      const first = Math.floor(next / BLOCK)
      const last = Math.floor((next + Math.max(count, 1) - 1) / BLOCK)
      const blocks = concat(...Array.from({ length: last - first + 1 }, (_, i) => block(first + i)))
      const start = next - first * BLOCK
      next += count
      return blocks.slice(start, start + count)
    },
    position: () => next,
    moveTo: (position) => {
      next = position
    },
  }
}
