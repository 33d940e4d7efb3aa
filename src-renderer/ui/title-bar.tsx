import { Languages, Presentation, Search } from 'lucide-react'
import { Keys } from '../palette/keys.tsx'
import { LANGUAGES, language, switchLanguage } from './language.ts'
import { Button, HandsetMark } from './primitives.tsx'
import { texts } from './texts.ts'
import styles from './title-bar.module.css'

export type Screen = 'bench' | 'console' | 'inspect'

type TitleBarProps = {
  readonly screen: Screen
  readonly onScreen: (screen: Screen) => void
  readonly onPalette: () => void
  readonly onPresent: () => void
}

const OTHER = language === 'zh' ? 'en' : 'zh'

const SCREENS: readonly Screen[] = ['bench', 'console', 'inspect']

export const TitleBar = ({ screen, onScreen, onPalette, onPresent }: TitleBarProps) => (
  <header className={`${styles.titlebar} row line-below bg-surface gap-26 p-0-12-0-16`} data-part="titlebar">
    <div className={`${styles.brand} row gap-7 text-14 weight-640 tighter`}>
      <HandsetMark />
      {texts.product}
    </div>
    <nav className={`${styles.nav} flex gap-2`} aria-label={texts.frame.screens}>
      {SCREENS.map((each) => (
        <button
          className="muted ink-hovers one-line weight-500 rounded-6 p-4-10"
          key={each}
          type="button"
          aria-current={each === screen ? 'page' : undefined}
          onClick={() => onScreen(each)}
        >
          {texts.frame[each]}
        </button>
      ))}
    </nav>
    <button
      type="button"
      className={`${styles.paletteOpen} row gap-8 muted one-line bg-surface-2 rounded-7 outlined h-28 p-0-6-0-9`}
      aria-haspopup="dialog"
      aria-label={texts.palette.names.palette}
      onClick={onPalette}
    >
      <Search />
      <span className="grow cut ellipsis text-left">{texts.palette.names.palette}</span>
      <Keys chord="Mod+K" />
    </button>
    <Button
      Icon={Languages}
      size={15}
      look="ghost"
      title={LANGUAGES[OTHER].name}
      className={styles.language}
      lang={LANGUAGES[OTHER].tag}
      onClick={() => switchLanguage(OTHER)}
      text={LANGUAGES[OTHER].name}
    />
    <Button
      Icon={Presentation}
      size={15}
      look="ghost"
      className={styles.present}
      title={texts.palette.names.present}
      onClick={onPresent}
      text={texts.palette.names.present}
    />
  </header>
)
