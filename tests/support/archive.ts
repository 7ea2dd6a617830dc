/** A downloaded archive, with the validators of the response. */
export interface DownloadedArchive {
  readonly bytes: Uint8Array
  readonly etag: string
  readonly lastModified: string
}

export async function downloadArchive(url: string): Promise<DownloadedArchive> {
  const response = await fetch(url)
  const { headers } = response
  return {
    bytes: await response.bytes(),
    etag: headers.get('etag') ?? '',
    lastModified: headers.get('last-modified') ?? '',
  }
}
