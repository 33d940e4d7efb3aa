import { useRef } from 'react'
import { useAction } from '../palette/actions.ts'

export const LeaveOpening = ({ onLeave }: { readonly onLeave: () => void }) => {
  const anywhere = useRef(document.body)
  useAction('presenter-leave', anywhere, onLeave)
  return null
}
