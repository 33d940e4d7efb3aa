/**
 * Writes what a workspace's leases are, when it says so: one write after the other, and what changes during one goes into
 * the next, so that a hundred tests that begin together are two writes. The promise is that of the write that has it.
 */
export const createLeaseSaver = (
  write: (workspace: string) => Promise<void>,
): ((workspace: string) => Promise<void>) => {
  const writing = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()
  const begin = (workspace: string): Promise<void> => {
    waiting.delete(workspace)
    const written = write(workspace).finally(() => {
      if (writing.get(workspace) === written) writing.delete(workspace)
    })
    writing.set(workspace, written)
    return written
  }
  return (workspace) => {
    const known = waiting.get(workspace)
    if (known !== undefined) return known
    const before = writing.get(workspace)
    if (before === undefined) return begin(workspace)
    const next = before.then(
      () => begin(workspace),
      () => begin(workspace),
    )
    waiting.set(workspace, next)
    return next
  }
}
