import { dateAndTime } from '../../ui/format.ts'
import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

type Snapshot = { readonly id: string; readonly name: string; readonly created_at: number }

export const snapshotsSource = (snapshots: readonly Snapshot[]): Source => {
  const { console: words, frame } = texts
  return sourceOf(
    'snapshots',
    snapshots.map(({ id, name, created_at }) => ({
      key: id,
      title: name,
      leads: `${frame.console} · ${words.snapshots.title} · ${dateAndTime(created_at)}`,
      ids: [id],
      also: words.snapshots.title,
      to: { address: { screen: 'console', place: { kind: 'time', id } } },
    })),
  )
}
