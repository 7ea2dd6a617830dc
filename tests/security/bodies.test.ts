import { describe, expect, jest, test } from 'bun:test'
import fc from 'fast-check'
import { TextGarbage } from '../../server/garbage.ts'
import { openJsonBodies } from '../../server/http/body/json-body.ts'
import { openJsonReader } from '../../server/http/body/json-reader.ts'
import { openRequestMemory } from '../../server/http/body/memory.ts'
import { openTurns } from '../../server/http/body/turns.ts'
import { connectTo } from '../support/connection.ts'
import { forFile } from '../support/for-file.ts'
import { startService } from '../support/service.ts'

const service = forFile(await startService())
const SOURCE_URL = 'http://127.0.0.1:9/'
const text = new TextEncoder()

describe('A body', () => {
  const nested = (levels: number) =>
    `{"urls":["${SOURCE_URL}"],"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const withValues = (values: number) => `{"urls":["${SOURCE_URL}"],"x":[${'0,'.repeat(values)}0]}`

  test.each([
    ['16 levels deep', nested(16), 201],
    ['17 levels deep', nested(17), 400],
    ['with 49,000 values', withValues(49_000), 201],
    ['with 50,001 values', withValues(50_001), 400],
    ['with brackets that are never closed', '['.repeat(100_000), 400],
    ['with a string of 2 MiB', `{"urls":["${'x'.repeat(2 * 1024 * 1024)}"]}`, 400],
  ])('%s responds %d', async (_what, body, status) => {
    const reply = await service.request('POST', '/jobs', { body })
    expect(reply.status).toBe(status)
    if (status !== 201) expect(reply.body.error.code).toBe('INVALID_REQUEST')
  })

  test('is refused before it arrives, if there is no key or its declared length is too long', async () => {
    for (const [path, length, status] of [
      ['/jobs', 1_000_000, 401],
      ['/api-keys', 1_000, 401],
      ['/sign-in', 1_025, 413],
    ] as const) {
      using connection = await connectTo(service.origin)
      await connection.send(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n{`)
      expect(await connection.until(/\r\n\r\n/)).toStartWith(`HTTP/1.1 ${status} `)
    }
  })

  test('with a Content-Encoding is UNSUPPORTED_MEDIA_TYPE, and the response says what is accepted', async () => {
    const json = JSON.stringify({ urls: [SOURCE_URL] })
    const sent = (encoding: string, body: string | Uint8Array) =>
      service.request('POST', '/jobs', { body, headers: { 'content-encoding': encoding } })
    const refused = await sent('gzip', Bun.gzipSync(text.encode(json)))
    expect([refused.status, refused.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(refused.body.error.message).toContain('Content-Encoding')
    expect(refused.headers.get('accept-encoding')).toBe('identity')
    expect((await sent('Identity', json)).status).toBe(201)
  })

  test('with 5,000 invalid URLs gets the first 20 issues', async () => {
    const urls = Array.from({ length: 5_000 }, (_, index) => `ftp://x/${index}`.padEnd(8_192, 'x'))
    const { status, body } = await service.request('POST', '/jobs', { body: { urls } })
    expect([status, body.error.issues.length]).toEqual([400, 20])
  })
})

describe('JSON that arrives in chunks', () => {
  const read = (json: Uint8Array, pieceBytes: number): unknown => {
    const reader = openJsonReader()
    for (let at = 0; at < json.length; at += pieceBytes) reader.write(json.slice(at, at + pieceBytes))
    return reader.end()
  }
  const outcomeOf = (work: () => unknown): string => {
    try {
      return JSON.stringify(work())
    } catch {
      return 'refused'
    }
  }

  test('gives the same value as JSON.parse of the whole text', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 1, max: 9 }),
        (value, indent, pieceBytes) => {
          const json = JSON.stringify(value, null, indent)
          expect(JSON.stringify(read(text.encode(json), pieceBytes))).toBe(JSON.stringify(JSON.parse(json)))
        },
      ),
    )
  })

  test('is refused if and only if JSON.parse refuses the whole text', () => {
    const symbols = [
      '"',
      '\\',
      '[',
      ']',
      '{',
      '}',
      ',',
      ':',
      '1',
      ' ',
      ' '.repeat(70),
      '\n',
      'a',
      'é',
      '{"a":[',
      '"b"',
      ']}',
      '\ufeff',
    ]
    const fragments = fc.array(fc.constantFrom(...symbols), { maxLength: 14 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fragments, fc.integer({ min: 1, max: 5 }), (json, pieceBytes) => {
        expect(outcomeOf(() => read(text.encode(json), pieceBytes))).toBe(outcomeOf(() => JSON.parse(json)))
      }),
      { numRuns: 5_000, examples: [['{"a":[\ufeff]}', 1]] },
    )
  })

  test.each([7, 50_000, 500_000])(
    'gives the same items of a long list, in chunks of %d bytes',
    (pieceBytes) => {
      const space = (index: number) => ' '.repeat(index % 100 === 0 ? 100 : 0)
      const items = Array.from(
        { length: 20_000 },
        (_, index) => `${space(index)}"é ${index}"${space(index + 50)}`,
      )
      const json = `{"a":[${items.join(',')}],"b":[${space(0)}]}`
      expect(read(text.encode(json), pieceBytes)).toEqual(JSON.parse(json))
    },
  )

  test('is refused unless it is UTF-8', () => {
    expect(outcomeOf(() => read(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d), 9))).toBe('refused')
    expect(outcomeOf(() => read(Uint8Array.of(0x5b, 0x5b, 0x22, 0xff, 0x22, 0x5d, 0x5d), 2))).toBe('refused')
  })
})

describe('Bodies that arrive at once or slowly', () => {
  const MEBIBYTE = 1024 * 1024
  const TIMEOUTS = {
    windowMs: 300_000,
    windowBytes: 1,
    contendedMs: 300_000,
    contendedStartMs: 300_000,
    waitMs: 300_000,
  }
  const USER_HEADER = 'x-user'

  /** Reads bodies of up to 48 MiB, which share the memory of one service. A header names the user of each. */
  const parserWith = (timeouts: Partial<typeof TIMEOUTS>) => {
    const bodies = openJsonBodies(
      openRequestMemory(new TextGarbage(), { ...TIMEOUTS, ...timeouts }),
      openTurns(),
      (request) => request.headers.get(USER_HEADER),
    )
    return { parse: bodies.parser(48 * MEBIBYTE), handled: bodies.handled }
  }

  /** A body that the test sends in pieces. `ended` is the result of reading it. */
  function slowBody(
    bodies: ReturnType<typeof parserWith>,
    sent: Record<string, string> = {},
    handling?: Promise<void>,
  ) {
    const pieces = new TransformStream<Uint8Array, Uint8Array>()
    const writer = pieces.writable.getWriter()
    const request = new Request(SOURCE_URL, { method: 'POST', headers: sent, body: pieces.readable })
    const headers: Record<string, string | number> = {}
    const ended = bodies.parse({ request, set: { headers } }).then(
      async () => {
        void Promise.resolve(handling).then(() => bodies.handled(request))
        return 'read'
      },
      (error: Error & { code?: string }) => error.code,
    )
    const send = (bytes: number) => writer.write(new Uint8Array(bytes).fill(0x20))
    const finish = () => writer.write(text.encode('1')).then(() => writer.close())
    return { ended, send, finish, headers }
  }

  const of = (userId: string) => ({ [USER_HEADER]: userId })

  /** A body that takes all memory, and does not end yet. */
  async function slowBodyOf40Mebibytes(parse: ReturnType<typeof parserWith>, sent?: Record<string, string>) {
    const slow = slowBody(parse, sent)
    for (let sent = 0; sent < 40; sent++) await slow.send(MEBIBYTE)
    return slow
  }

  test('are INVALID_REQUEST if they are slower than the minimum rate', async () => {
    const parse = parserWith({ windowMs: 20, windowBytes: 1_000 })
    const body = slowBody(parse)
    await body.send(10)
    expect(await body.ended).toBe('INVALID_REQUEST')
  })

  test('are aborted with UNAVAILABLE and Retry-After when other requests need the memory', async () => {
    const parse = parserWith({ contendedMs: 100 })
    const slow = await slowBodyOf40Mebibytes(parse)
    const other = slowBody(parse)
    await other.send(MEBIBYTE)
    await other.finish()
    expect(await slow.ended).toBe('UNAVAILABLE')
    expect(slow.headers['retry-after']).toBeGreaterThan(0)
    expect(await other.ended).toBe('read')
  })

  test('let a long body wait before its first byte, if it announces its length', async () => {
    const parse = parserWith({})
    const slow = await slowBodyOf40Mebibytes(parse)
    const long = slowBody(parse, { 'content-length': String(MEBIBYTE) })
    const small = slowBody(parse, { 'content-length': '1' })
    let isLongRead = false
    void long.finish().then(() => {
      isLongRead = true
    })
    await small.finish()
    expect(await small.ended).toBe('read')
    expect(isLongRead).toBe(false)
    await slow.finish()
    expect(await long.ended).toBe('read')
  })

  test('count as memory until their requests are answered', async () => {
    const bodies = parserWith({})
    const handling = Promise.withResolvers<void>()
    const first = slowBody(bodies, {}, handling.promise)
    for (let sent = 0; sent < 40; sent++) await first.send(MEBIBYTE)
    await first.finish()
    expect(await first.ended).toBe('read')
    const second = slowBody(bodies, { 'content-length': String(MEBIBYTE) })
    const small = slowBody(bodies, { 'content-length': '1' })
    let isSecondRead = false
    void second.finish().then(() => {
      isSecondRead = true
    })
    await small.finish()
    expect(await small.ended).toBe('read')
    expect(isSecondRead).toBe(false)
    handling.resolve()
    expect(await second.ended).toBe('read')
  })

  test('are all read, if they are a hundred jobs of 5,000 URLs', async () => {
    const parse = parserWith({})
    const sizeBytes = 300_000
    const bodies = Array.from({ length: 100 }, () =>
      slowBody(parse, { 'content-length': String(sizeBytes + 1) }),
    )
    // More than there is memory for: some wait in the middle of their bodies, and others before the first byte.
    const sent = bodies.map((body) => body.send(sizeBytes).then(body.finish))
    expect(await Promise.all(bodies.map((body) => body.ended))).toEqual(bodies.map(() => 'read'))
    await Promise.all(sent)
  })

  test('are UNAVAILABLE if they are more large ones than memory allows', async () => {
    const parse = parserWith({})
    const slow = await slowBodyOf40Mebibytes(parse)
    const large = () => slowBody(parse, { 'content-length': String(MEBIBYTE) })
    const waiting = Array.from({ length: 32 }, large)
    const refused = large()
    expect(await refused.ended).toBe('UNAVAILABLE')
    expect(refused.headers['retry-after']).toBeGreaterThan(0)
    const sent = waiting.map((body) => body.finish())
    await slow.finish()
    expect(await Promise.all(waiting.map((body) => body.ended))).toEqual(waiting.map(() => 'read'))
    await Promise.all(sent)
  })

  test('do not wait for short bodies that do not end', async () => {
    const parse = parserWith({ waitMs: 100 })
    const idle = Array.from({ length: 3 }, () => slowBody(parse, { 'content-length': '100' }))
    const long = await slowBodyOf40Mebibytes(parse, of('owner'))
    await long.finish()
    expect(await long.ended).toBe('read')
    await Promise.all(idle.map((body) => body.finish()))
  })

  test("do not wait for another user's while they are short lists of URLs", async () => {
    const parse = parserWith({})
    const slow = await slowBodyOf40Mebibytes(parse, of('free'))
    const waiting = slowBody(parse, { ...of('free'), 'content-length': String(MEBIBYTE) })
    const list = slowBody(parse, { ...of('owner'), 'content-length': '100000' })
    await list.send(99_999)
    await list.finish()
    expect(await list.ended).toBe('read')
    await slow.finish()
    await waiting.finish()
    expect([await slow.ended, await waiting.ended]).toEqual(['read', 'read'])
  })

  test('take turns between users when they exceed the memory', async () => {
    const parse = parserWith({})
    const slow = await slowBodyOf40Mebibytes(parse, of('free'))
    const length = { 'content-length': String(2 * MEBIBYTE) }
    const more = Array.from({ length: 10 }, () => slowBody(parse, { ...of('free'), ...length }))
    const ended: string[] = []
    const endOf = async (name: string, body: ReturnType<typeof slowBody>) => {
      const sending = body.send(2 * MEBIBYTE - 1).then(body.finish)
      expect(await body.ended).toBe('read')
      ended.push(name)
      await sending
    }
    const ends = more.map((body) => endOf('free', body))
    ends.push(endOf('owner', slowBody(parse, { ...of('owner'), ...length })))
    await slow.finish()
    await Promise.all(ends)
    expect(ended.indexOf('owner')).toBeLessThan(3)
  })

  test('are aborted sooner when they trickle and another user waits', async () => {
    const parse = parserWith({ contendedStartMs: 50, contendedMs: 1_000 })
    const slow = await slowBodyOf40Mebibytes(parse, of('free'))
    const long = slowBody(parse, { ...of('owner'), 'content-length': String(2 * MEBIBYTE) })
    const sent = long.send(2 * MEBIBYTE - 1).then(long.finish)
    expect(await slow.ended).toBe('UNAVAILABLE')
    expect(await long.ended).toBe('read')
    await sent
  })

  test('wait at the cost of the user who has most of them', async () => {
    const parse = parserWith({})
    const slow = await slowBodyOf40Mebibytes(parse, of('free'))
    const large = (userId: string) =>
      slowBody(parse, { ...of(userId), 'content-length': String(2 * MEBIBYTE) })
    const waiting = Array.from({ length: 32 }, () => large('free'))
    const other = large('owner')
    const sentOther = other.send(2 * MEBIBYTE - 1).then(other.finish)
    expect(await waiting[31]?.ended).toBe('UNAVAILABLE')
    const sent = waiting.map((body) => body.finish().catch(() => {}))
    await slow.finish()
    expect(await other.ended).toBe('read')
    await Promise.all([sentOther, ...sent])
    const read = await Promise.all(waiting.slice(0, 31).map((body) => body.ended))
    expect(read).toEqual(read.map(() => 'read'))
  })

  test('are not too slow because they wait', async () => {
    jest.useFakeTimers()
    try {
      const windows = { ...TIMEOUTS, windowMs: 1_000, windowBytes: 1 }
      const memory = openRequestMemory(new TextGarbage(), windows)
      const holder = memory.reserve('free', 40 * MEBIBYTE)
      holder.add(9 * MEBIBYTE)
      await holder.untilFree()
      using body = memory.reserve('owner', 2 * MEBIBYTE)
      body.add(MEBIBYTE)
      const waits = body.untilFree()
      for (let second = 0; second < 10; second++) {
        holder.add(1)
        jest.advanceTimersByTime(1_000)
      }
      expect([holder.signal.aborted, body.signal.aborted]).toEqual([false, false])
      holder[Symbol.dispose]()
      await waits
      // From now on, it is the client that does not send.
      jest.advanceTimersByTime(900)
      expect(body.signal.aborted).toBe(false)
      jest.advanceTimersByTime(100)
      expect(body.signal.reason).toMatchObject({ code: 'INVALID_REQUEST' })
    } finally {
      jest.useRealTimers()
    }
  })

  test('do not delay small requests', async () => {
    const parse = parserWith({})
    const slow = await slowBodyOf40Mebibytes(parse)
    const small = slowBody(parse)
    await small.send(1_000)
    await small.finish()
    expect(await small.ended).toBe('read')
    await slow.finish()
    expect(await slow.ended).toBe('read')
  })
})
