import { LucideProvider } from 'lucide-react'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/layout.css'
import { createApi } from './api.ts'
import { App } from './app.tsx'
import { createBenchStore } from './bench/bench-store.ts'
import { BenchContext } from './bench/use-bench.ts'
import { ValueInspectionContext } from './inspector/unfolding-context.ts'
import { offerSession, openSession, placeOf } from './session.ts'
import { Gate } from './ui/gate.tsx'
import { languageTag } from './ui/language.ts'
import { pageNow } from './ui/page-clock.ts'
import { loadServiceWords } from './ui/service-words.ts'

document.documentElement.lang = languageTag

const loadUnfolding = async () => (await import('./inspect/unfolding.ts')).valueInspection

const element = document.getElementById('root')
if (element === null) throw new Error('the page has no root')
const root = createRoot(element)
const show = (page: ReactNode) =>
  root.render(
    <StrictMode>
      <LucideProvider size={14} strokeWidth={1.75}>
        {page}
      </LucideProvider>
    </StrictMode>,
  )
show(<Gate state="opening" />)

// If the user pastes a new address that differs only after the `#`, the browser does not reload by itself.
addEventListener('hashchange', () => location.hash.startsWith('#code=') && location.reload())

const [session] = await Promise.all([openSession(), loadServiceWords()])
if (session.kind === 'open') {
  offerSession(session.token)
  const api = createApi({ controlUrl: placeOf(location).controlUrl, token: session.token })
  const tools = { api, store: createBenchStore(api, pageNow) }
  show(
    <BenchContext value={tools}>
      <ValueInspectionContext value={loadUnfolding}>
        <App />
      </ValueInspectionContext>
    </BenchContext>,
  )
} else show(<Gate state={session.kind} />)
