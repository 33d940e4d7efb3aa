type MarkedProps = {
  readonly parts: { readonly same: string; readonly rest: string }
  readonly middle: string
  readonly look: 'wanted' | 'got'
}

/** A text with the stretch marked in which it differs from another. */
export const Marked = ({ parts, middle, look }: MarkedProps) => (
  <>
    {parts.same}
    {middle === '' ? null : <mark data-look={look}>{middle}</mark>}
    {parts.rest}
  </>
)
