import { useRef } from 'react'
import { useAction } from '../palette/actions.ts'

/** While the presentation is loaded, it can be left already. */
export const LeaveOpening = ({ onLeave }: { readonly onLeave: () => void }) => {
  const anywhere = useRef(document.body)
  useAction('presenter-leave', anywhere, onLeave)
  return null
}
