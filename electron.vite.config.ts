import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { styleModules } from './src-renderer/style-modules.ts'
import { layout } from './src-renderer/ui/layout.ts'

/** The page stands at addresses of any depth; electron-vite would have it read its files from beside itself. */
const atAnyDepth = { name: 'at-any-depth', enforce: 'post' as const, config: () => ({ base: '/' }) }

/** Three bundles: the two composition roots (window and command line), the preload script, and the page. */
export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      // Bundled they load in a third of the time; native code and wasm stay in node_modules.
      externalizeDeps: {
        exclude: ['@peculiar/webcrypto', '@simplewebauthn/server', 'cbor-x', 'typebox', 'uqr', 'yaml'],
        // Whoever has a shared database brings its driver.
        include: ['pg'],
      },
      rollupOptions: {
        input: {
          index: 'src-main/index.ts',
          cli: 'src-main/cli.ts',
          'run-worker': 'src-main/cli/run/run-worker.ts',
          'camera-thread': 'src-main/phones/phone/camera-thread.ts',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      // A sandboxed preload script is CommonJS, and one file.
      rollupOptions: {
        input: { preload: 'src-main/shell/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react(), layout(), atAnyDepth],
    css: { modules: styleModules },
    build: {
      outDir: 'out/renderer',
      // Half the script to read and to compile at every opening of the page.
      minify: true,
      chunkSizeWarningLimit: 700,
      rollupOptions: {
        input: 'src-renderer/index.html',
        // "use client" means nothing outside server components.
        onwarn: (warning, warn) => {
          if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
        },
      },
      // Fonts stay files: the page's policy allows none from data: addresses.
      assetsInlineLimit: 0,
    },
  },
})
