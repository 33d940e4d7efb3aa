import type { AccessKeyState, RpState } from '../../../src-main/core/contract/control/states.ts'
import { texts } from '../../ui/texts.ts'
import { type Source, sourceOf } from './finding.ts'

/** The RPs by name, RP ID and origins, and their access keys by ID. */
export const rpsSource = (rps: readonly RpState[], keys: readonly AccessKeyState[]): Source => {
  const { console: words, frame } = texts
  return sourceOf('rps', [
    ...(rps.map(({ id, name, rp_id, origins }) => ({
      key: id,
      title: name,
      leads: `${frame.console} · ${words.rps}`,
      ids: [id, rp_id],
      also: `${words.rps} ${origins.join(' ')}`,
      to: { address: { screen: 'console', place: { kind: 'rp', id } } },
    })) satisfies Parameters<typeof sourceOf>[1]),
    ...(keys.map(({ id, rp, state }) => ({
      key: id,
      title: id,
      leads: `${rps.find((each) => each.id === rp)?.name ?? rp} · ${words.keys.title}`,
      ids: [id],
      also: `${words.keys.title} ${words.keys[state === 'active' ? 'on' : 'off']}`,
      to: { address: { screen: 'console', place: { kind: 'rp', id: rp, part: id } } },
    })) satisfies Parameters<typeof sourceOf>[1]),
  ])
}
