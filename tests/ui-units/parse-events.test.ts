import { describe, expect, test } from 'bun:test'
import { createEventParser, type ServerEvent } from '../../ui/src/api/parse-events.ts'

const STREAM = 'event: snapshot\ndata: {"a":1}\n\n:\n\nevent: progress\ndata: {"b":"é"}\n\n'
const EVENTS = [
  { name: 'snapshot', data: '{"a":1}' },
  { name: 'progress', data: '{"b":"é"}' },
]

describe('Server-sent events', () => {
  test('are read from a stream that is cut anywhere, whatever ends its lines', () => {
    for (const lineEnd of ['\n', '\r\n', '\r']) {
      const text = STREAM.replaceAll('\n', lineEnd)
      for (let length = 1; length <= text.length; length++) {
        expect(eventsOf(piecesOf(text, length))).toEqual(EVENTS)
      }
    }
  })

  test('are given as soon as their blank line is there', () => {
    const parse = createEventParser()
    expect(parse('event: end\ndata: 1\n')).toEqual([])
    expect(parse('\r')).toEqual([{ name: 'end', data: '1' }])
    expect(parse('\ndata: 2\r\n\r')).toEqual([{ name: 'message', data: '2' }])
  })

  test('keep several lines of data apart, and lose one space after the colon', () => {
    expect(eventsOf(['data: one\ndata:  two\ndata:three\ndata\n\n'])).toEqual([
      { name: 'message', data: 'one\n two\nthree\n' },
    ])
  })

  test('are none where there are comments, other fields, no data, or no end', () => {
    expect(eventsOf([': heartbeat\n\nid: 7\nretry: 5\n\nevent: lost\n\ndata: unfinished\n'])).toEqual([])
  })
})

function eventsOf(pieces: readonly string[]): ServerEvent[] {
  return pieces.flatMap(createEventParser())
}

function piecesOf(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}
