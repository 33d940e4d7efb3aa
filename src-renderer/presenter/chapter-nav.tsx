import { CHAPTERS, type Presented } from '../ui/address.ts'
import { texts } from '../ui/texts.ts'
import styles from './chapter-nav.module.css'

type ChapterNavProps = {
  readonly current: Presented | undefined
  readonly onChapter: (chapter: Presented) => void
}

export const ChapterNav = ({ current, onChapter }: ChapterNavProps) => (
  <nav className={styles.chapters} data-part="chapters" aria-label={texts.presenter.nav}>
    {([...CHAPTERS, 'end'] as const).map((chapter, at) => (
      <button
        key={chapter}
        type="button"
        aria-current={chapter === current ? 'page' : undefined}
        onClick={() => onChapter(chapter)}
      >
        {chapter === 'end' ? null : <i>{at + 1}</i>}
        <span>{texts.presenter.chapters[chapter]}</span>
      </button>
    ))}
  </nav>
)
