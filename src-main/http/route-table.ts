import { type Refusal, refuse, refuseMethod } from '../core/contract/errors.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { decodePercent } from './message.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `{name}` in a pattern matches one segment, which is percent-decoded after the path was split. */
export type Route<H> = { readonly method: Method; readonly pattern: string; readonly handler: H }

export type RouteMatch<H> = {
  readonly route: Route<H>
  /** The route's name in events and logs: its pattern with the table's prefix. */
  readonly name: string
  readonly params: Readonly<Record<string, string>>
}

export type RouteTable<H> = {
  /** Refuses with 40401, or with 40501 and an Allow header. A GET route also serves HEAD. */
  match(method: string, path: string): Result<RouteMatch<H>, Refusal>
}

export const createRouteTable = <H>(routes: readonly Route<H>[], prefix = ''): RouteTable<H> => {
  const named = routes.map((route) => ({ route, name: `${prefix}${route.pattern}` }))
  // Most patterns have no parameter: a map finds them by their path.
  const literal = new Map<string, readonly RouteMatch<H>[]>()
  for (const { route, name } of named) {
    if (route.pattern.includes('{')) continue
    literal.set(route.pattern, [...(literal.get(route.pattern) ?? []), { route, name, params: {} }])
  }
  const patterns = Map.groupBy(
    named
      .filter(({ route }) => route.pattern.includes('{'))
      .map(({ route, name }) => ({ route, name, segments: route.pattern.split('/').map(segmentOf) })),
    ({ segments }) => segments.length,
  )

  const candidates = (path: string): readonly RouteMatch<H>[] => {
    const exact = literal.get(path)
    if (exact !== undefined) return exact
    const parts = path.split('/')
    const found: RouteMatch<H>[] = []
    for (const { route, name, segments } of patterns.get(parts.length) ?? []) {
      const params = matchSegments(segments, parts)
      if (params !== undefined) found.push({ route, name, params })
    }
    return found
  }

  return {
    match: (method, path) => {
      const found = candidates(path)
      if (found.length === 0) return err(refuse('no_route'))
      const wanted = method === 'HEAD' ? 'GET' : method
      for (const match of found) if (match.route.method === wanted) return ok(match)
      const allow = found.flatMap(({ route }) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]))
      return err(refuseMethod(allow))
    },
  }
}

export const createRouteNamer =
  (table: RouteTable<unknown>) =>
  ({ method, path }: { readonly method: string; readonly path: string }): string | undefined => {
    const found = table.match(method, path)
    return found.ok ? found.value.name : undefined
  }

type Segment = { readonly text: string; readonly isParameter: boolean }

const segmentOf = (segment: string): Segment =>
  segment.startsWith('{') ? { text: segment.slice(1, -1), isParameter: true } : { text: segment, isParameter: false }

/** Expects as many segments as the path has. Compares literal ones first, since they rule out most routes. */
const matchSegments = (segments: readonly Segment[], parts: readonly string[]) => {
  if (!segments.every(({ text, isParameter }, i) => isParameter || text === parts[i])) return undefined
  const params: Record<string, string> = {}
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i]
    if (segment?.isParameter !== true) continue
    const value = decodePercent(parts[i] ?? '')
    if (value === undefined || value === '') return undefined
    params[segment.text] = value
  }
  return params
}
