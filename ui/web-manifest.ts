import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HtmlTagDescriptor, Plugin } from 'vite'

/** Adds the manifest that makes the interface installable, and its icons, which must be PNG for some systems. */
export function webManifest(): Plugin {
  const icons = join(import.meta.dirname, 'src/base/icons')
  const links: HtmlTagDescriptor[] = []
  return {
    name: 'web-manifest',
    apply: 'build',
    generateBundle() {
      const emit = (name: string, source: string | Buffer) =>
        `/${this.getFileName(this.emitFile({ type: 'asset', name, source }))}`
      const emitIcon = (name: string) => emit(name, readFileSync(join(icons, name)))
      const manifest = {
        id: '/',
        name: 'Holdall',
        description: 'Paste links, get one ZIP.',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: '#fbfaf8',
        theme_color: '#3b5bdb',
        icons: [
          { src: emitIcon('app-192.png'), sizes: '192x192', type: 'image/png' },
          { src: emitIcon('app-512.png'), sizes: '512x512', type: 'image/png' },
          { src: emitIcon('maskable-512.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        share_target: {
          action: '/',
          method: 'GET',
          enctype: 'application/x-www-form-urlencoded',
          params: { title: 'title', text: 'text', url: 'url' },
        },
      }
      const href = emit('holdall.webmanifest', JSON.stringify(manifest))
      links.push(
        { tag: 'link', attrs: { rel: 'manifest', href } },
        { tag: 'link', attrs: { rel: 'apple-touch-icon', href: emitIcon('touch-180.png') } },
      )
    },
    transformIndexHtml: { order: 'post', handler: () => links },
  }
}
