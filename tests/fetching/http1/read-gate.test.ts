import { expect, test } from 'bun:test'
import { ReadGate } from '../../../server/fetching/http1/read-gate.ts'

test('readers stop when what was granted is read, and ask once for more than they owe', () => {
  const { gate, requests } = openGate()
  const [one, other] = [reader(), reader()]
  gate.add(one)
  gate.add(other)
  expect([one.isHeld, other.isHeld, requests]).toEqual([true, true, [0]])
  gate.granted(100)
  expect([one.isHeld, other.isHeld]).toEqual([false, false])
  gate.received(one, 60)
  expect(one.isHeld).toBe(false)
  gate.received(one, 300)
  expect([one.isHeld, other.isHeld, requests]).toEqual([true, true, [0, 260]])
})

test('who has read last reads last', () => {
  const { gate } = openGate()
  const order: string[] = []
  const named = (name: string) => ({ hold() {}, letRead: () => void order.push(name) })
  const [a, b, c] = [named('a'), named('b'), named('c')]
  for (const each of [a, b, c]) gate.add(each)
  gate.granted(10)
  gate.received(a, 20)
  order.length = 0
  gate.granted(20)
  expect(order).toEqual(['b', 'c', 'a'])
})

test('a reader whose response has ended may read again, since its connection may be closed', () => {
  const { gate } = openGate()
  const one = reader()
  gate.add(one)
  gate.delete(one)
  expect(one.isHeld).toBe(false)
})

test('the time in which nothing may be read is counted', () => {
  const { gate, advance } = openGate()
  const one = reader()
  gate.add(one)
  advance(100)
  expect(gate.heldMs()).toBe(100)
  gate.granted(10)
  advance(1000)
  expect(gate.heldMs()).toBe(100)
  gate.received(one, 10)
  advance(7)
  gate.granted(5)
  expect(gate.heldMs()).toBe(107)
})

function openGate() {
  const requests: number[] = []
  let nowMs = 0
  const gate = new ReadGate(() => nowMs)
  gate.connect((owedBytes) => requests.push(owedBytes))
  return {
    gate,
    requests,
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

function reader() {
  const state = {
    isHeld: false,
    hold: () => {
      state.isHeld = true
    },
    letRead: () => {
      state.isHeld = false
    },
  }
  return state
}
