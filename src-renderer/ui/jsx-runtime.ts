import type { ElementType, ExoticComponent, Key, ReactElement, JSX as ReactJsx } from 'react'
import { jsx as element, jsxs as elements, Fragment } from 'react/jsx-runtime'
import { escapeInvisible } from '../../src-main/core/protocol/visible.ts'

/*
 * The compiler makes a call of this module from each JSX element (`jsxImportSource` of tsconfig.json). Every text that the
 * page shows passes here: names, messages and files come from other programs, and none must hide a character. Values of
 * fields and copied texts stay unchanged. A `key` after spread properties does not build: it would not pass here.
 */

export declare namespace JSX {
  /** A component returns elements: a text that it returned alone would not pass here. */
  type ElementType =
    | keyof ReactJsx.IntrinsicElements
    | ((props: never) => ReactElement | readonly ReactElement[] | null)
    | ExoticComponent<never>
  type Element = ReactJsx.Element
  type ElementAttributesProperty = ReactJsx.ElementAttributesProperty
  type ElementChildrenAttribute = ReactJsx.ElementChildrenAttribute
  type LibraryManagedAttributes<C, P> = ReactJsx.LibraryManagedAttributes<C, P>
  type IntrinsicAttributes = ReactJsx.IntrinsicAttributes
  type IntrinsicElements = ReactJsx.IntrinsicElements
}

export { Fragment }

type Props = Readonly<Record<string, unknown>>

/** Properties that a browser shows or a screen reader says. */
const SHOWN = ['children', 'title', 'alt', 'placeholder', 'label', 'aria-label', 'aria-description', 'aria-valuetext']

const shown = (value: unknown): unknown => {
  if (typeof value === 'string') return escapeInvisible(value)
  return Array.isArray(value) ? value.map(shown) : value
}

const hides = (value: unknown): boolean =>
  typeof value === 'string' ? escapeInvisible(value) !== value : Array.isArray(value) && value.some(hides)

/** A component gets its properties unchanged: what it shows are elements again. */
const shownProps = (type: ElementType, props: Props): Props => {
  if (typeof type !== 'string' && type !== Fragment) return props
  const hiding = SHOWN.filter((name) => hides(props[name]))
  return hiding.length === 0
    ? props
    : { ...props, ...Object.fromEntries(hiding.map((name) => [name, shown(props[name])])) }
}

export const jsx = (type: ElementType, props: Props, key?: Key) => element(type, shownProps(type, props), key)

export const jsxs = (type: ElementType, props: Props, key?: Key) => elements(type, shownProps(type, props), key)

/** In development; the checks are those of React's development build. */
export const jsxDEV = (type: ElementType, props: Props, key: Key | undefined, isStatic: boolean) =>
  (isStatic ? jsxs : jsx)(type, props, key)
