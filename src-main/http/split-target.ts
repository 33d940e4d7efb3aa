import { isWorkspaceId, MAIN_WORKSPACE } from '../core/protocol/ids.ts'

export type SplitTarget = {
  readonly workspace: string
  /** Without workspace prefix; begins with `/`. */
  readonly path: string
  readonly query: string
  /** Path and query as on the request line; of an absolute-form target, what follows the authority. */
  readonly target: string
  /** Of an absolute-form target. */
  readonly authority?: string
}

/** RFC 9112 section 3.2: origin-form, or absolute-form as proxies write it. Undefined: neither. */
export const splitTarget = (line: string): SplitTarget | undefined => {
  const absolute = line.startsWith('/') ? { target: line } : partsOfAbsolute(line)
  if (absolute === undefined) return undefined
  const { target } = absolute
  const mark = target.indexOf('?')
  const full = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark + 1)
  const match = /^\/w\/([^/]*)(\/.*)?$/.exec(full)
  const workspace = match?.[1] ?? ''
  if (match === null || !isWorkspaceId(workspace)) return { ...absolute, workspace: MAIN_WORKSPACE, path: full, query }
  return { ...absolute, workspace, path: match[2] ?? '/', query }
}

const partsOfAbsolute = (line: string): { readonly target: string; readonly authority: string } | undefined => {
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(line) ?? []
  return authority === undefined ? undefined : { authority, target: rest.startsWith('/') ? rest : `/${rest}` }
}
