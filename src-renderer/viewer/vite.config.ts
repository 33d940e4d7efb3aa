import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { styleModules } from '../style-modules.ts'
import { layout } from '../ui/layout.ts'

/** Builds one script and one style sheet, which the runner embeds in reports, since files on disk load nothing. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), layout()],
  css: { modules: styleModules },
  logLevel: 'warn',
  build: {
    outDir: '../../out/renderer/viewer',
    emptyOutDir: true,
    target: 'es2022',
    cssCodeSplit: false,
    chunkSizeWarningLimit: 950,
    rollupOptions: {
      input: 'main.tsx',
      output: { entryFileNames: 'viewer.js', assetFileNames: 'viewer[extname]', codeSplitting: false },
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
})
