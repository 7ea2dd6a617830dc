import { expectedBytes } from './origin.ts'

/** A web server whose bodies come when a test lets them: `/NAME?bytes=N` waits for `release(NAME)`, or fails after `refuse(NAME)`. */
export interface GatedSource extends AsyncDisposable {
  url(name: string, sizeBytes: number): string
  /** Sends the bodies of this name, also to later requests. */
  release(...names: readonly string[]): void
  /** Answers 404 for this name from now on. */
  refuse(name: string): void
  /** Later requests for this name wait again. */
  hold(name: string): void
}

export function startGatedSource(): GatedSource {
  const gates = new Map<string, PromiseWithResolvers<'released' | 'refused'>>()
  const gate = (name: string) => {
    const known = gates.get(name) ?? Promise.withResolvers<'released' | 'refused'>()
    gates.set(name, known)
    return known
  }
  const open = (name: string, how: 'released' | 'refused') => {
    gate(name).resolve(how)
    const next = Promise.withResolvers<'released' | 'refused'>()
    next.resolve(how)
    gates.set(name, next)
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      const name = pathname.slice(1)
      if ((await gate(name).promise) === 'refused') return new Response('not here', { status: 404 })
      return new Response(new Uint8Array(expectedBytes(Number(searchParams.get('bytes')), seedOf(name))))
    },
  })
  return {
    url: (name, sizeBytes) => new URL(`/${name}?bytes=${sizeBytes}`, server.url).href,
    release: (...names) => {
      for (const name of names) open(name, 'released')
    },
    refuse: (name) => open(name, 'refused'),
    hold: (name) => gates.delete(name),
    async [Symbol.asyncDispose]() {
      for (const name of gates.keys()) open(name, 'refused')
      await server.stop(true)
    },
  }
}

/** The bodies differ by name. */
export function seedOf(name: string): number {
  return Bun.hash.crc32(name) % 1000
}
