import { useEffect, useMemo, useState } from 'react'
import { utf8 } from '../../src-main/core/protocol/bytes.ts'
import { inspect } from '../../src-main/views/inspect/inspect.ts'
import type { Inspection } from '../../src-main/views/inspect/inspection.ts'
import { pageNow } from '../ui/page-clock.ts'
import { type ParsedGiven, parseGiven } from './given-parsed.ts'
import type { GivenTexts, InspectInput } from './inspected.ts'
import { pageCrypto, pageSigningCrypto } from './page-crypto.ts'

/** Nothing is looked at for every letter that somebody types. */
const SETTLES_AFTER_MS = 60

export type Looked = { readonly of: InspectInput; readonly found: Inspection }

type Asked = {
  readonly input: InspectInput
  readonly given: GivenTexts
  /** One text, so that the same list asks for nothing anew. */
  readonly knownRpIds: string
}

/** Of the input as it is now; meanwhile of the one before. */
export const useInspection = ({ input, given: texts, knownRpIds }: Asked) => {
  const parsed: ParsedGiven = useMemo(() => parseGiven(texts), [texts])
  const [looked, setLooked] = useState<Looked>()
  useEffect(() => {
    let current = true
    const look = async () => {
      const bytes = input.kind === 'text' ? utf8(input.text) : input.bytes
      const given = { ...parsed.given, knownRpIds: knownRpIds.split(' ') }
      const pause = () => new Promise<void>((go) => setTimeout(go))
      const found = await inspect(bytes, given, {
        crypto: pageCrypto,
        signing: pageSigningCrypto,
        now: pageNow(),
        pause,
      })
      if (current) setLooked({ of: input, found })
    }
    const timer = setTimeout(look, SETTLES_AFTER_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [input, parsed, knownRpIds])
  return { looked, wrong: parsed.wrong }
}
