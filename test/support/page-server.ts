import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type HtmlTagDescriptor, type Plugin, type ViteDevServer } from 'vite'
import { styleModules } from '../../src-renderer/style-modules.ts'
import { layout } from '../../src-renderer/ui/layout.ts'

type PageServerInput = {
  /** The folder with the source. */
  readonly root: string
  readonly port: number
  readonly benchOrigin: string
  /** Put into each page that is loaded. */
  readonly tags?: () => Promise<HtmlTagDescriptor[]>
}

/** Serves the page from its source, with hot reload and React’s development checks, against a running bench. */
export const createPageServer = ({ root, port, benchOrigin, tags }: PageServerInput): Promise<ViteDevServer> => {
  /** The built page's policy forbids what hot reload needs. */
  const pageOfBench: Plugin = {
    name: 'handset-page-of-bench',
    transformIndexHtml: async (html) => ({
      html: html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
      tags: (await tags?.()) ?? [],
    }),
  }
  const toBench = { target: benchOrigin, changeOrigin: true, headers: { origin: benchOrigin } }
  return createServer({
    configFile: false,
    root: join(root, 'src-renderer'),
    plugins: [react(), layout(), pageOfBench],
    css: { modules: styleModules },
    server: { port, fs: { allow: [root] }, proxy: { '^/(w/[^/]+/)?(control|fido|app)/': toBench } },
  })
}
