/** A file that a web server sends. */
export interface SourceFile {
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
}

/** A web server on this machine with the given files, by name. */
export interface FileSource extends AsyncDisposable {
  /** The URLs of the files, in their order. */
  readonly urls: readonly string[]
}

export function startFileSource(files: Readonly<Record<string, SourceFile>>): FileSource {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const name = decodeURIComponent(new URL(request.url).pathname.slice(1))
      const file = files[name]
      if (file === undefined) return new Response('not here', { status: 404 })
      return new Response(file.body, { headers: { 'content-type': file.type } })
    },
  })
  return {
    urls: Object.keys(files).map((name) => new URL(`/${encodeURIComponent(name)}`, server.url).href),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}
