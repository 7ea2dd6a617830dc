import { renameSync, writeFileSync } from 'node:fs'
import JSZip from 'jszip'
import type { JobOrder, JobOutcome } from '../../server/engine/job-order.ts'
import type { JobHooks, JobRunner } from '../../server/engine/job-runner.ts'

/** The plainest runner that keeps the promises of the seam: fetches one URL after the other and packs them whole. */
export function openZipRunner(): JobRunner & AsyncDisposable {
  return { run, [Symbol.asyncDispose]: () => Promise.resolve() }
}

async function run(order: JobOrder, hooks: JobHooks, signal: AbortSignal): Promise<JobOutcome> {
  const zip = new JSZip()
  const names: { position: number; name: string }[] = []
  for (const [position, source] of order.sources.entries()) {
    const name = `${position}-${new URL(source.url).pathname.slice(1)}`
    hooks.progress({
      fileCount: names.length,
      zipBytes: 0,
      receivedBytes: 0,
      entries: [{ position, status: 'fetching', name: null, sizeBytes: 0, error: null }],
    })
    const response = await fetch(source.url, { signal }).catch(() => null)
    if (signal.aborted) return { status: 'stopped' }
    if (response?.ok !== true) {
      const error = response === null ? 'Connection refused' : `HTTP ${response.status}`
      hooks.commit([{ kind: 'put', entry: { status: 'failed', position, error } }], false)
      if (order.failOnUrlError) {
        return { status: 'failed', failure: { code: 'URL_FAILED', message: 'A URL could not be fetched.' } }
      }
      continue
    }
    const body = await response.bytes()
    zip.file(name, body)
    names.push({ position, name })
    const modifiedAtMs = Date.UTC(2026, 0)
    const sizes = { sizeBytes: body.length, compressedBytes: body.length, offset: 0, headerBytes: 30 }
    hooks.commit(
      [
        {
          kind: 'put',
          entry: { status: 'stored', position, name, modifiedAtMs, crc32: 0, method: 0, ...sizes },
        },
      ],
      false,
    )
  }
  const bytes = await zip.generateAsync({ type: 'uint8array' })
  writeFileSync(`${order.archivePath}.part`, bytes)
  renameSync(`${order.archivePath}.part`, order.archivePath)
  return { status: 'completed', zipBytes: bytes.length, names }
}
