/** So many deletions of a workspace, of any kind, can be taken back: the last ones. */
export const MOST_DELETIONS = 20
