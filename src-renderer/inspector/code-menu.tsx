import { Terminal } from 'lucide-react'
import { useState } from 'react'
import { CODE_LANGUAGES, type CodeLanguage, LANGUAGE_NAMES } from '../../src-main/code/languages.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Pick } from '../ui/pick.tsx'
import { texts } from '../ui/texts.ts'
import styles from './code-menu.module.css'
import type { Exchange } from './exchange-lines.ts'

const KEY = 'handset.code'

/** Copies an exchange as a program, in the language that was chosen last. */
export const CodeMenu = ({ exchange }: { readonly exchange: Exchange }) => {
  const words = texts.inspector
  const [language, setLanguage] = useState(lastLanguage)
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
        onPick={(value) => setLanguage(keep(value))}
        className={styles.language ?? ''}
      />
    </span>
  )
}

const known = (text: string | null): CodeLanguage => CODE_LANGUAGES.find((each) => each === text) ?? 'curl'

/** A browser that keeps nothing is no error. */
const lastLanguage = (): CodeLanguage => {
  try {
    return known(localStorage.getItem(KEY))
  } catch {
    return 'curl'
  }
}

const keep = (text: string): CodeLanguage => {
  try {
    localStorage.setItem(KEY, text)
  } catch {
    // It stays chosen while the page is open.
  }
  return known(text)
}
