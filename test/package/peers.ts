/** The runners whose fixtures the package has: who uses them has them. */
export const PEERS = { '@playwright/test': '>=1.60', vitest: '>=4.1' }
