import type { WeatherState } from '../../src-main/control/contract/states.ts'

export type WeatherName = 'clear' | 'slow' | 'patchy' | 'storm'

/** What the sky looks like: answers that come late are slow, answers that get lost patchy, refusals a storm. */
export const weatherName = (weather: WeatherState): WeatherName => {
  const sides = [weather.rp, weather.app]
  if (sides.some((side) => side.fail_next > 0 || side.fail_percent > 0)) return 'storm'
  if (sides.some((side) => side.lose_next > 0 || side.lose_percent > 0)) return 'patchy'
  return sides.some((side) => side.latency_ms > 0) ? 'slow' : 'clear'
}
