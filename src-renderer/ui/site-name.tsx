import { Fragment } from 'react'

/** A website's name, which may break before its dots and nowhere else. */
export const SiteName = ({ origin }: { readonly origin: string }) =>
  origin
    .replace(/^https?:\/\//, '')
    .split(/(?=\.)/)
    .map((part, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name have no other identity.
      <Fragment key={i}>
        <wbr />
        {part}
      </Fragment>
    ))
