export const stoppingText = (drainMs: number): string =>
  drainMs === 0 ? '\nStopping.' : `\nStopping in ${drainMs / 1000} s; Ctrl-C again ends it at once.`
