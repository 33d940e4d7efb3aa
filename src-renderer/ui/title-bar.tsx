import { Presentation } from 'lucide-react'
import { Button } from './button.tsx'
import { HandsetMark } from './marks.tsx'
import { texts } from './texts.ts'

export type Screen = 'bench' | 'console'

type TitleBarProps = {
  readonly screen: Screen
  readonly onScreen: (screen: Screen) => void
  readonly onPresent: () => void
}

const SCREENS: readonly Screen[] = ['bench', 'console']

export const TitleBar = ({ screen, onScreen, onPresent }: TitleBarProps) => (
  <header className="titlebar">
    <div className="brand">
      <HandsetMark />
      {texts.product}
    </div>
    <nav className="nav" aria-label={texts.frame.screens}>
      {SCREENS.map((each) => (
        <button
          key={each}
          type="button"
          aria-current={each === screen ? 'page' : undefined}
          onClick={() => onScreen(each)}
        >
          {texts.frame[each]}
        </button>
      ))}
    </nav>
    <span className="grow" />
    <Button look="ghost" className="present" data-do="present" onClick={onPresent}>
      <Presentation size={15} strokeWidth={1.75} aria-hidden="true" />
      {texts.presenter.present}
    </Button>
  </header>
)
