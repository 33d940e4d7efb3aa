import { Terminal } from 'lucide-react'
import { CODE_LANGUAGES, LANGUAGE_NAMES } from '../../src-main/views/code/languages.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Pick } from '../ui/pick.tsx'
import { texts } from '../ui/texts.ts'
import { useStoredChoice } from '../ui/use-stored.ts'
import styles from './code-menu.module.css'
import type { Exchange } from './exchange-lines.ts'

/** Copies an exchange as a program, in the language that was chosen last. */
export const CodeMenu = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector
  const [language, setLanguage] = useStoredChoice('handset.code', CODE_LANGUAGES, 'curl')
  const code = async () => (await import('./write-code.ts')).writeCode(exchange, language)
  return (
    <span className={styles.menu}>
      <CopyButton
        name={words.copyAs(LANGUAGE_NAMES[language])}
        text={code}
        Icon={Terminal}
        command="copy-code"
        iconOnly
      />
      <Pick
        name={words.codeLanguage}
        value={language}
        options={CODE_LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }))}
        onPick={setLanguage}
        className={styles.language ?? ''}
      />
    </span>
  )
}
