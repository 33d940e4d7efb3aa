import { type Refusal, refuse } from '../../protocol/errors.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { calm, parseWeather, type Weather } from '../weather.ts'
import type { Console } from './console.ts'
import { inWorkspace, type Parts, tellSetting } from './parts.ts'

export const weatherOf = (parts: Parts): Console['weather'] => {
  const { settings } = parts.services
  const set = async (
    workspace: string,
    change: string,
    next: (before: Weather) => Result<Weather, Refusal>,
  ): Promise<Result<Weather, Refusal>> => {
    const weather = await settings.changeWeather(workspace, next)
    if (weather.ok) tellSetting(parts, workspace, { subject: 'weather', change, detail: weather.value })
    return weather
  }
  const laidOver = (base: Weather, part: unknown): Result<Weather, Refusal> => {
    const weather = parseWeather(part, base)
    return weather.ok ? weather : err(refuse('invalid_parameter', weather.error))
  }
  return {
    get: (workspace) => inWorkspace(parts, workspace, async () => ok(settings.weather(workspace))),
    patch: (workspace, part) =>
      inWorkspace(parts, workspace, () => set(workspace, 'changed', (before) => laidOver(before, part))),
    replace: (workspace, part) =>
      inWorkspace(parts, workspace, () => set(workspace, 'changed', () => laidOver(calm, part))),
    reset: (workspace) => inWorkspace(parts, workspace, () => set(workspace, 'reset', () => ok(calm))),
  }
}
