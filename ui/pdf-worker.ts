import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Adds the worker of pdf.js and what it imports by name: its decoders for the images of scanners, without which their pages would be
 * empty. They are the ones in JavaScript, since the Content-Security-Policy allows no WebAssembly. Names in `assets/` must change
 * with the content, so the worker gets the new ones.
 */
export function pdfWorker(): Plugin {
  const directory = join(import.meta.dirname, '../node_modules/pdfjs-dist')
  let isBuild = false
  return {
    name: 'pdf-worker',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : null),
    load(id) {
      if (id !== `\0${ID}`) return null
      if (!isBuild) return moduleOf(`/@fs${join(directory, WORKER)}`, `/@fs${directory}/wasm/`)
      const emit = (name: string, source: string) => {
        const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
        const fileName = name.replace(/(?=\.m?js$)/, `-${hash}`)
        this.emitFile({ type: 'asset', fileName: `assets/${fileName}`, source })
        return fileName
      }
      let worker = readFileSync(join(directory, WORKER), 'utf8')
      for (const name of DECODERS) {
        if (!worker.includes(name)) throw new Error(`pdf.js does not import ${name}`)
        worker = worker.replaceAll(name, emit(name, readFileSync(join(directory, 'wasm', name), 'utf8')))
      }
      return moduleOf(`/assets/${emit(basename(WORKER), worker)}`, '/assets/')
    },
  }
}

const ID = 'virtual:pdf-worker'
const WORKER = 'build/pdf.worker.min.mjs'
/** Of JBIG2 and fax images, and of JPEG 2000. */
const DECODERS = ['jbig2_nowasm_fallback.js', 'openjpeg_nowasm_fallback.js']

function moduleOf(workerUrl: string, decodersUrl: string): string {
  return `export const workerUrl = '${workerUrl}'\nexport const decodersUrl = '${decodersUrl}'`
}
