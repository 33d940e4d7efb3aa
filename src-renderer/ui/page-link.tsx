import { Link } from 'lucide-react'
import { CopyButton } from './copy-button.tsx'
import { texts } from './texts.ts'

/** Copies the address of the page; shown next to its title. */
export const PageLink = ({ title }: { readonly title: string }) => (
  <CopyButton iconOnly name={texts.console.linkOf(title)} text={() => location.href} Icon={Link} />
)
