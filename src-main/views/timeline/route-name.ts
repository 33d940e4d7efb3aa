import type { ExchangeFact } from '../../core/contract/events.ts'

/** `METHOD route` without the service's address: what words are looked up by. */
export const routeOf = (exchange: ExchangeFact): string => {
  const path = exchange.request.route ?? exchange.request.target.split('?')[0] ?? ''
  return `${exchange.request.method} ${path.replace(/^.*?\/(?=(?:rp|app)\/)/, '')}`
}

/** The path as people speak of it: `attestation/options`, `bind`. */
export const shortPath = (target: string): string => {
  const path = target.split('?')[0] ?? ''
  const inner = path.replace(/^.*?\/(?:rp|app)\//, '').replace(/^\//, '')
  return inner.replace(/^messages\/[\w-]+\//, '').replace(/^vault\/(.{8}).+$/, 'vault/$1…')
}
