import { LucideProvider } from 'lucide-react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../ui/tokens.css'
import '../ui/base.css'
import '../ui/controls.css'
import '../ui/layout.css'
import { languageTag } from '../ui/language.ts'
import { loadServiceWords } from '../ui/service-words.ts'
import { readEmbedded } from './embedded.ts'
import { SuiteView } from './suite-view.tsx'
import { Viewer } from './viewer.tsx'

document.documentElement.lang = languageTag
await loadServiceWords()
const embedded = await readEmbedded(document)
const element = document.getElementById('root')
if (element === null) throw new Error('the page has no root')
createRoot(element).render(
  <StrictMode>
    <LucideProvider size={14} strokeWidth={1.75}>
      {embedded.suite === undefined ? <Viewer embedded={embedded} /> : <SuiteView suite={embedded.suite} />}
    </LucideProvider>
  </StrictMode>,
)
