/** What a file with this report may be called: words of its name, as every file system takes them. */
export const reportFile = (name: string): string => {
  const words = name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${words === '' ? 'handset' : words}.report.md`
}
