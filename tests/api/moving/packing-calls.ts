import { expect } from 'bun:test'
import type { Call, Context } from './call.ts'

/** Creates jobs with fields that only the other service has. */
export function packingCalls({ service, sources }: Context): readonly Call[] {
  return [
    ['mode: stored', 'unchanged', () => expectIgnored({ mode: 'stored' })],
    ['mode: stream', 'not available', () => expectIgnored({ mode: 'stream' })],
    [
      'max_zip_size_bytes, split_strategy, allow_oversize_zips, fail_on_zip_error',
      'not available',
      () =>
        expectIgnored({
          max_zip_size_bytes: 100_000_000,
          split_strategy: 'ffd',
          allow_oversize_zips: true,
          fail_on_zip_error: true,
        }),
    ],
  ]

  /** The field changes nothing: the job makes one ZIP, and its response does not name the field. */
  async function expectIgnored(fields: Readonly<Record<string, unknown>>): Promise<void> {
    const made = await service.finishedJob([sources.url('/ok/a'), sources.url('/ok/b')], fields)
    expect([made.status, made.file_count]).toEqual(['completed', 2])
    expect((await fetch(made.download_url)).headers.get('content-length')).toBe(`${made.zip_size}`)
    for (const field of [...Object.keys(fields), 'zips']) expect(made).not.toHaveProperty(field)
  }
}
