import styles from './path-text.module.css'

/** A path that breaks behind its slashes, and elsewhere only where a part has no room. */
export const PathText = ({ path }: { readonly path: string }) =>
  partsOf(path).map(({ at, part }) => (
    <span key={at} className={styles.part}>
      {part}
    </span>
  ))

const partsOf = (path: string) =>
  [...path.matchAll(/[^/\\]*[/\\]?/g)].flatMap(({ index, 0: part }) => (part === '' ? [] : [{ at: index, part }]))
