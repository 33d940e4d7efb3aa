import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import styles from './button.module.css'

type Look = 'default' | 'primary' | 'ghost' | 'danger'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: Look
  readonly small?: boolean
  readonly Icon?: LucideIcon
  readonly size?: number
  readonly ref?: Ref<HTMLButtonElement>
  readonly text?: ReactNode
}

export const Button = ({
  look = 'default',
  small = false,
  Icon,
  size = 14,
  className,
  text,
  children,
  ...rest
}: ButtonProps) => (
  <button
    type="button"
    className={className === undefined ? styles.btn : `${styles.btn} ${className}`}
    data-look={look}
    data-small={small || undefined}
    {...rest}
  >
    {Icon === undefined ? null : <Icon size={size} />}
    {text}
    {children}
  </button>
)

type IconButtonProps = Omit<ButtonProps, 'aria-label' | 'title'> & { readonly name: string }

export const IconButton = ({ name, look = 'ghost', ...rest }: IconButtonProps) => (
  <Button look={look} aria-label={name} title={name} data-icon {...rest} />
)
