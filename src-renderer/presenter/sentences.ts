import { PRESENTED, type PresenterPlace } from '../ui/address.ts'
import { texts } from '../ui/texts.ts'
import { type Chapter, SCRIPTS } from './chapters.ts'

type Table = Readonly<Record<string, string>>

export const sentenceOf = (chapter: Chapter, beat = ''): string => (texts.presenter.says[chapter] as Table)[beat] ?? ''

export const noteOf = (chapter: PresenterPlace, beat = 'end'): string =>
  (texts.presenter.notes[chapter] as Table)[beat] ?? ''

export const neighbourChapter = (chapter: PresenterPlace, by: 1 | -1): PresenterPlace | undefined =>
  PRESENTED[PRESENTED.indexOf(chapter) + by]

/** The text after this step: the next sentence, or the title of what follows. */
export const nextText = (chapter: PresenterPlace, step: number): string => {
  const beat = chapter === 'end' ? undefined : SCRIPTS[chapter].beats[step + 1]
  if (beat !== undefined && chapter !== 'end') return sentenceOf(chapter, beat.name)
  const following = neighbourChapter(chapter, 1)
  return following === undefined ? '' : texts.presenter.speaker.nextChapter(texts.presenter.chapters[following])
}
