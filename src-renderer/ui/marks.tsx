export const HandsetMark = ({ size = 18 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
    <rect x="6.5" y="2" width="11" height="20" rx="3.2" stroke="currentColor" strokeWidth="1.9" />
    <path d="M6.5 12h4.2" stroke="var(--accent)" strokeWidth="2.4" />
    <circle cx="12.6" cy="12" r="2.1" fill="var(--accent)" />
  </svg>
)

const MARKS = [
  {
    fill: 'var(--bank)',
    path: 'M12 4.6v14.8M8.9 12a3.1 7.4 0 1 0 6.2 0a3.1 7.4 0 1 0-6.2 0M4.6 12a7.4 7.4 0 1 0 14.8 0a7.4 7.4 0 1 0-14.8 0',
  },
  {
    fill: '#a8432f',
    path: 'M8 8.2c1.5-.9 6.5-.9 8 0 1.3 2.4 1.3 5.2 0 7.6-1.5.9-6.5.9-8 0-1.3-2.4-1.3-5.2 0-7.6zM12 5.2v2.2M12 16.600v2.600M9.9 7.6c-.8 3-.8 5.8 0 8.800M14.1 7.6c.8 3 .8 5.8 0 8.8',
  },
  { fill: '#2f5d8a', path: 'M5.5 14.5c2.2-2 4.3-2 6.5 0s4.3 2 6.5 0M5.5 10c2.2-2 4.3-2 6.5 0s4.3 2 6.5 0' },
  { fill: '#6b4d9a', path: 'M12 5l6 10.500H6zM12 5v10.5' },
] as const

export const RpMark = ({ variant, size = 22 }: { readonly variant: number; readonly size?: number }) => {
  const mark = MARKS[variant % MARKS.length] ?? MARKS[0]
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <circle cx="12" cy="12" r="11" fill={mark.fill} />
      <path d={mark.path} stroke="#fff" strokeWidth="1.35" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
