import { isWorkspaceId, MAIN_WORKSPACE } from '../protocol/ids.ts'

export type SplitTarget = {
  readonly workspace: string
  /** Without workspace prefix; begins with `/`. */
  readonly path: string
  readonly query: string
  /** Path and query as on the request line; of an absolute-form target, what follows the authority. */
  readonly target: string
}

/** RFC 9112 section 3.2: origin-form, or absolute-form as proxies write it. Undefined: neither. */
export const splitTarget = (line: string): SplitTarget | undefined => {
  const target = line.startsWith('/') ? line : originForm(line)
  if (target === undefined) return undefined
  const mark = target.indexOf('?')
  const full = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark + 1)
  const match = /^\/w\/([^/]*)(\/.*)?$/.exec(full)
  const workspace = match?.[1] ?? ''
  if (match === null || !isWorkspaceId(workspace)) return { workspace: MAIN_WORKSPACE, path: full, query, target }
  return { workspace, path: match[2] ?? '/', query, target }
}

const originForm = (line: string): string | undefined => {
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(line)
  if (match === null) return undefined
  const rest = match[1] ?? ''
  return rest.startsWith('/') ? rest : `/${rest}`
}
