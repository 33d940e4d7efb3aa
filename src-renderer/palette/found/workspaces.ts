import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

/** The other workspaces of this service. */
export const workspacesSource = (ids: readonly string[], here: string): Source =>
  sourceOf(
    'workspaces',
    ids
      .filter((id) => id !== here)
      .map((id) => ({
        key: id,
        title: id,
        leads: texts.palette.found.otherWorkspace,
        ids: [id],
        also: texts.console.workspaces,
        to: { href: `${location.origin}/w/${id}/` },
      })),
  )
