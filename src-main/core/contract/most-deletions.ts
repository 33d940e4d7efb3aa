/** Most recent deletions of a workspace, of any kind, that can be undone. */
export const MOST_DELETIONS = 20
