import { describe, expect, test } from 'bun:test'
import { createEventParser, type ServerEvent } from '../../ui/src/api/parse-events.ts'

const STREAM = 'event: snapshot\ndata: {"a":1}\n\n:\n\nevent: progress\ndata: {"b":"é"}\n\n'
const EVENTS = [
  { name: 'snapshot', data: '{"a":1}' },
  { name: 'progress', data: '{"b":"é"}' },
]

describe('Server-sent events', () => {
  test('are parsed from chunks of any size and with any line ending', () => {
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const text = STREAM.replaceAll('\n', lineEnd)
      for (let length = 1; length <= text.length; length++) {
        expect(eventsOf(splitIntoChunks(text, length))).toEqual(EVENTS)
      }
    }
  })

  test('are returned as soon as their blank line arrives', () => {
    const parse = createEventParser()
    expect(parse('event: end\ndata: 1\n')).toEqual([])
    expect(parse('\r')).toEqual([{ name: 'end', data: '1' }])
    expect(parse('\ndata: 2\r\n\r')).toEqual([{ name: 'message', data: '2' }])
  })

  test('join several data lines by line breaks, and drop one space after the colon', () => {
    expect(eventsOf(['data: one\ndata:  two\ndata:three\ndata\n\n'])).toEqual([
      { name: 'message', data: 'one\n two\nthree\n' },
    ])
  })

  test('are not created by comments, other fields, missing data or a missing blank line', () => {
    expect(eventsOf([': heartbeat\n\nid: 7\nretry: 5\n\nevent: lost\n\ndata: unfinished\n'])).toEqual([])
  })
})

function eventsOf(chunks: readonly string[]): ServerEvent[] {
  return chunks.flatMap(createEventParser())
}

function splitIntoChunks(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}
