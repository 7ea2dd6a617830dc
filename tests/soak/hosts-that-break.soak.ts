import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'

test.each([
  ['that can be resumed', ''],
  ['that must start over', '&etag=none'],
])(
  '1,500 hosts that each break off a body of 900 KB %s take bounded memory',
  async (_what, query) => {
    await using origin = await startOrigin('0.0.0.0')
    await using holdall = await startHoldall()
    const client = await signInOwner(holdall)
    const target = `/bytes/1000000?framing=chunked&cut_at=900000&times=1${query}`
    const urls = Array.from({ length: 1_500 }, (_, host) => origin.urlAtHost(host, `${target}&${host}`))

    const job = await client.untilEnded(await client.createJob({ urls }), 120_000)
    expect(job).toMatchObject({ status: 'completed', file_count: 1_500 })
    expect(holdall.peakMemoryBytes()).toBeLessThan(300_000_000)
  },
  120_000,
)
