import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { Step, StoredBlocks } from '../tape.ts'
import { type BlockPart, type BlockReader, blockReader, joinParts, lastOf } from '../tape-block.ts'

export type BlockRow = {
  readonly id: number
  readonly first: number
  readonly last: number
  readonly unit: number
  readonly bytes: number
}

export type ReadBlocks = {
  /** What is told of blocks that cannot be read: they are not there. */
  readonly unreadable: (block: BlockRow & { readonly workspace: string }) => void
  /** Undefined for what the database refuses. */
  readonly attempt: <T>(read: () => T) => T | undefined
}

/** The blocks of workspaces, each read when an event in it is asked for. */
export const createBlocksReader = (db: Database.Database, { unreadable, attempt }: ReadBlocks) => {
  const ofWorkspace = 'FROM blocks JOIN tracks ON tracks.id = track WHERE workspace = ?'
  const selectReserved = db.prepare('SELECT reserved FROM tracks WHERE workspace = ?').pluck()
  const selectFirst = db.prepare(`SELECT min(first) ${ofWorkspace}`).pluck()
  const selectNext = db.prepare(`SELECT blocks.* ${ofWorkspace} AND last >= ? ORDER BY last LIMIT 1`)
  const selectBefore = db.prepare(`SELECT blocks.* ${ofWorkspace} AND first <= ? ORDER BY first DESC LIMIT 1`)
  const selectParts = db.prepare('SELECT * FROM parts WHERE block = ? ORDER BY id')

  /** Who reads one event mostly reads its neighbours as well. */
  let recent: { readonly workspace: string; readonly reader: BlockReader } | undefined

  const load = (row: BlockRow): BlockReader | undefined => {
    const parts = (selectParts.all(row.id) as readonly PartRow[]).map((part) => partOf(part, row))
    const block = parts.every((part) => part !== undefined) ? joinParts(parts) : undefined
    return block && blockReader(block)
  }

  const near = (workspace: string, n: number, step: Step): BlockReader | undefined => {
    if (recent?.workspace === workspace) {
      const { block } = recent.reader
      if (block.first <= n && n <= lastOf(block)) return recent.reader
    }
    const select = step === 1 ? selectNext : selectBefore
    let row = select.get(workspace, n) as BlockRow | undefined
    while (row !== undefined) {
      const reader = load(row)
      if (reader !== undefined) {
        recent = { workspace, reader }
        return reader
      }
      unreadable({ ...row, workspace })
      row = select.get(workspace, step === 1 ? row.last + 1 : row.first - 1) as BlockRow | undefined
    }
    return undefined
  }

  return {
    blocksOf: (workspace: string): StoredBlocks => ({
      last: attempt(() => selectReserved.get(workspace) as number | undefined) ?? 0,
      first: () => attempt(() => selectFirst.get(workspace) as number | null) ?? undefined,
      near: (n, step) => attempt(() => near(workspace, n, step)),
    }),
    /** What was read of it before is not there any more. */
    forget: (): void => {
      recent = undefined
    },
  }
}

/** A part of a block in its table. */
type PartRow = {
  readonly before: number
  readonly kinds: string
  readonly counts: string
  readonly texts: Uint8Array
  readonly places: Uint8Array
  /** SQLite does not notice a bit that turned. */
  readonly checksum: number
}

export const rowOf = ({ before, kinds, counts, texts, places }: BlockPart): PartRow => {
  const row = { before, kinds: kinds.join(), counts: counts.join(), texts, places }
  return { ...row, checksum: checksumOf(row) }
}

export const sizeOf = ({ kinds, counts, texts, places }: PartRow): number =>
  kinds.length + counts.length + texts.length + places.length

/** Undefined where something in it is not what was written. */
const partOf = (row: PartRow, { first, unit }: { readonly first: number; readonly unit: number }) => {
  if (checksumOf(row) !== row.checksum) return undefined
  const { before, texts, places } = row
  const counts = row.counts.split(',').map(Number)
  return { block: first, unit, before, kinds: row.kinds.split(','), counts, texts, places } satisfies BlockPart
}

const checksumOf = ({ before, kinds, counts, texts, places }: Omit<PartRow, 'checksum'>): number =>
  crc32(places, crc32(texts, crc32(`${before};${kinds};${counts}`)))
