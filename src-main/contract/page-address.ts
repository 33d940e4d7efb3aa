/**
/**
 * Paths below a workspace at which the page stands, besides `/`: a ceremony, an exchange, how to connect an RP, a part of
 * the console, Inspect, the presentation, a trace and a place in it. What follows the first word is the page's own business.
 */
export const isPageAddress = (path: string): boolean =>
  /^\/(?:c|e|connect|console|inspect|present|trace)(?:\/[A-Za-z0-9_-]{1,64}){0,4}$/.test(path)
