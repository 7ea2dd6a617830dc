import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'

// The service serves these files under a policy of `default-src 'self'`: nothing may be inlined, neither a script
// nor an image as a data: URL.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [solid(), precompress()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    target: 'es2022',
    // The first that know light-dark(), which the tokens are written in.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

/** Below this a compressed answer saves no packet. */
const COMPRESS_FROM_BYTES = 1_024

/** Puts `.br` and `.gz` beside every asset, so that the service compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      // After Vite has written the paths of what comes lazily into the code.
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, output] of Object.entries(bundle)) {
          const content = Buffer.from(output.type === 'chunk' ? output.code : output.source)
          if (!fileName.startsWith('assets/') || content.length < COMPRESS_FROM_BYTES) continue
          const brotli = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotli })
          this.emitFile({
            type: 'asset',
            fileName: `${fileName}.gz`,
            source: gzipSync(content, { level: 9 }),
          })
        }
      },
    },
  }
}
