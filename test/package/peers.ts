/** The runners whose fixtures the package has: who uses them has them. */
export const PEERS = { '@playwright/test': '>=1.50', vitest: '>=4' }
