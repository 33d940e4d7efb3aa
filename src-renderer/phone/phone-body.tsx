import type { ReactNode } from 'react'

/** The case around the glass. */
export const PhoneBody = ({ children }: { readonly children: ReactNode }) => (
  <div className="phone-body">
    <i className="phone-key" data-key="power" />
    <i className="phone-key" data-key="up" />
    <i className="phone-key" data-key="down" />
    <div className="phone-bezel">{children}</div>
  </div>
)
