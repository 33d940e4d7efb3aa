import type { ControlRoute } from '../../core/contract/control/route.ts'
import { type RouteId, routeOf } from '../../core/contract/control/routes.ts'
import { isNamed, type RawRequest } from '../../http/message.ts'

type Document = NonNullable<ControlRoute['page']>

const ENDINGS = { html: '.html', markdown: '.md' } as const satisfies Readonly<Record<Document, string>>
const TYPES = { html: 'text/html', markdown: 'text/markdown' } as const satisfies Readonly<Record<Document, string>>

const documentOf = (id: RouteId): Document | undefined => routeOf(id).page

/** The path without the ending that asks for a whole document; undefined where it has none. */
export const withoutEnding = (path: string): { readonly path: string; isOf(id: RouteId): boolean } | undefined => {
  const ending = Object.values(ENDINGS).find((each) => path.endsWith(each))
  if (ending === undefined) return undefined
  const isOf = (id: RouteId): boolean => {
    const document = documentOf(id)
    return document !== undefined && ENDINGS[document] === ending
  }
  return { path: path.slice(0, -ending.length), isOf }
}

/** A client that prefers JSON, or accepts anything, gets the envelope. */
export const wantedDocument = (id: RouteId, { path, headers }: RawRequest): Document | undefined => {
  const document = documentOf(id)
  if (document === undefined || path.endsWith(ENDINGS[document])) return document
  const accept = headers.find(([name]) => isNamed(name, 'accept'))?.[1] ?? ''
  const first = accept.split(',')[0]?.split(';')[0]?.trim().toLowerCase()
  return first === TYPES[document] ? document : undefined
}
