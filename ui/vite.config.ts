import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import solid from 'vite-plugin-solid'
import { firstChunk } from './first-chunk.ts'
import { noTopLevelAwait } from './no-top-level-await.ts'
import { pdfWorker } from './pdf-worker.ts'
import { translations } from './translations.ts'
import { webManifest } from './web-manifest.ts'

/** What the mode names: by default the interface, or the small document for receivers. */
const RECEIVERS = 'receivers'
/** The chunk of all that a document shows first. */
const FIRST = 'first'
/** What a receiver loads of a translation. */
const CATALOGUES_FOR_RECEIVERS = ['api', 'base', 'changes', 'preview', 'share-page', 'sharing']
/** Two of three kilobytes of a translation, of which the service says nearly nothing to receivers. */
const ENGLISH_FOR_RECEIVERS = ['service-words']

// The service serves these files with the Content-Security-Policy `default-src 'self'`, so nothing may be inlined:
// neither scripts nor images as data: URLs.
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [
    inProduction(),
    solid(),
    themeBeforePaint(),
    preloadInterface(),
    noTopLevelAwait(),
    // A receiver would install something that they have no account for.
    ...(mode === RECEIVERS ? [] : [webManifest()]),
    pdfWorker(),
    ...(mode === RECEIVERS
      ? [translations(CATALOGUES_FOR_RECEIVERS, ENGLISH_FOR_RECEIVERS)]
      : [translations()]),
    precompress(),
  ],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: mode !== RECEIVERS,
    target: 'es2022',
    // The first versions that support light-dark(), which the design tokens use, and popovers.
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
    assetsInlineLimit: 0,
    // A page whose code is loaded again after a failure would stay without its own style sheet.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Built by itself, because a receiver would else load the styles of the whole interface, and what it alone uses of shared modules.
      input: join(import.meta.dirname, mode === RECEIVERS ? 'share.html' : 'index.html'),
      output: {
        codeSplitting: {
          groups: [
            // Both documents load the same file, since it imports nothing.
            { name: 'pdf', test: /pdfjs-dist/ },
            // The script of the document, and what a translation imports: both run before the interface, which shows the translation.
            {
              name: 'main',
              test: /src\/(?:share-page\/)?main\.ts|src\/language\/plural\.ts|vite\/preload-helper/,
            },
            {
              name: firstChunk(
                FIRST,
                mode === RECEIVERS ? 'src/share-page/share-document.tsx' : 'src/interface.tsx',
              ),
            },
          ],
        },
      },
      // On a busy machine, a build that went well would end with a page of warnings about its own speed.
      checks: { bundlerTimings: false },
    },
  },
}))

/** Otherwise, NODE_ENV of whoever builds decides whether libraries run in development mode. */
function inProduction(): Plugin {
  return {
    name: 'in-production',
    apply: 'build',
    config() {
      process.env.NODE_ENV = 'production'
    },
  }
}

/** Adds the script that sets the theme to the head of the page, ahead of the style sheet. */
function themeBeforePaint(): Plugin {
  const id = 'src/base/theme-before-paint.ts'
  return {
    name: 'theme-before-paint',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id, name: 'theme' })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const script = Object.values(bundle).find(
          (output) => output.type === 'chunk' && output.facadeModuleId?.endsWith(id),
        )
        if (script === undefined) throw new Error(`${id} is not in the bundle`)
        return [{ tag: 'script', attrs: { src: `/${script.fileName}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

/** The document's own script is small, and imports the interface when the translation is there: both load at the same time. */
function preloadInterface(): Plugin {
  return {
    name: 'preload-interface',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const chunk = Object.values(bundle).find((output) => output.type === 'chunk' && output.name === FIRST)
        if (chunk === undefined) throw new Error(`there is no chunk named ${FIRST}`)
        const attrs = { rel: 'modulepreload', crossorigin: true, href: `/${chunk.fileName}` }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** Compressing a smaller response would not save a packet. */
const COMPRESS_FROM_BYTES = 1_024

/** Writes a `.br` and a `.gz` file for every asset, so that the service doesn't compress responses itself. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      // Runs after Vite has written the paths of lazily loaded chunks into the code.
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
