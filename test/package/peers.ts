/** The runners whose fixtures the package has, and the driver of a shared database: who uses them has them. */
export const PEERS = { '@playwright/test': '>=1.60', pg: '>=8.16', vitest: '>=4.1' }
