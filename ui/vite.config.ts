import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'

/** Puts a `.br` and a `.gz` beside every asset that is worth it, so that the service never compresses anything. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, output] of Object.entries(bundle)) {
          const source = Buffer.from(output.type === 'chunk' ? output.code : output.source)
          if (source.length < WORTH_COMPRESSING_BYTES || !fileName.startsWith('assets/')) continue
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source) })
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) })
        }
      },
    },
  }
}

const WORTH_COMPRESSING_BYTES = 1024

export default defineConfig({
  root: import.meta.dirname,
  plugins: [solid(), precompress()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2022',
    // An image inlined as a data: URL would be refused by the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
