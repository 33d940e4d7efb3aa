import type { OptionName } from '../read-options.ts'

/** Why these addresses are not loaded: another machine must be named explicitly. */
export const checkHosts = (
  urls: readonly string[],
  allowed: string | undefined,
  named: OptionName,
): string | undefined => {
  const foreign = urls.map((url) => new URL(url).hostname).filter((host) => !isOwnMachine(host))
  const unsaid = foreign.find((host) => host !== allowed)
  if (unsaid !== undefined) {
    return `${unsaid} is not this machine. A load can bring a service down: with the consent of those who run it, repeat its name: --yes-this-host ${unsaid}`
  }
  return allowed !== undefined && foreign.length === 0 && named('yes-this-host').startsWith('--')
    ? `${named('yes-this-host')} names ${allowed}, but nothing there would be loaded.`
    : undefined
}

/** By its name alone: what a name server answers may change from one request to the next. */
const isOwnMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
