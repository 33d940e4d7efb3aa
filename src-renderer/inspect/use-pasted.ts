import { useEffect, useEffectEvent } from 'react'
import { placeOf } from '../palette/page.ts'
import { onWindow } from '../ui/effects.ts'
import { inspectFile, inspectText, refuseInput } from './inspected.ts'

/** Inspects text that is pasted outside a field. */
export const usePasted = (isOn: boolean, show: () => void): void => {
  const take = useEffectEvent((event: ClipboardEvent) => {
    if (!isOn || event.defaultPrevented) return
    const { dialog, typing } = placeOf(event.target, 'bench')
    if (dialog || typing || event.clipboardData === null) return
    event.preventDefault()
    const text = event.clipboardData.getData('text/plain')
    const file = event.clipboardData.files[0]
    if (text !== '') inspectText(text)
    else if (file !== undefined) void inspectFile(file)
    else refuseInput({ code: 'nothing' })
    show()
  })
  useEffect(() => onWindow('paste', (event) => take(event)), [])
}
