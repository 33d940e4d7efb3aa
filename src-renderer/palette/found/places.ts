import { CONSOLE_PLACES } from '../../ui/address.ts'
import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

/** The parts of the console that are always there. */
export const placesSource = (): Source => {
  const { console: words, frame, palette } = texts
  const names = { ...words, 'new-rp': words.addRp }
  return sourceOf(
    'places',
    CONSOLE_PLACES.map((kind) => ({
      key: kind,
      title: names[kind],
      leads: frame.console,
      also: `${frame.console} ${palette.found.also[kind] ?? ''}`,
      to: { address: { screen: 'console', place: { kind } } },
    })),
  )
}
