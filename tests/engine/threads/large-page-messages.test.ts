import { expect, test } from 'bun:test'
import { LargePageMessages } from '../../../server/engine/threads/large-page-messages.ts'
import type { FromRun } from '../../../server/engine/threads/messages.ts'
import { nextTurn } from '../../support/next-turn.ts'
import { until } from '../../support/until.ts'

function turnsOfInspection() {
  const posted: FromRun[] = []
  const pages = new LargePageMessages((message) => posted.push(message))
  const acquire = (signal = new AbortController().signal) => {
    let revoked = 0
    const page = pages.acquire(signal, () => revoked++)
    return { page, revokedCount: () => revoked }
  }
  return { pages, posted, acquire }
}

test('a turn that is revoked when its page has been read takes nothing from the next page', async () => {
  const { pages, posted, acquire } = turnsOfInspection()
  const first = acquire()
  const second = acquire()
  await Promise.resolve()
  pages.granted(1)
  ;(await first.page)[Symbol.dispose]()
  pages.revoked(1)
  await nextTurn()
  pages.revoked(1)
  pages.granted(2)
  using _secondPage = await second.page
  pages.revoked(1)
  expect([first.revokedCount(), second.revokedCount()]).toEqual([0, 0])
  pages.revoked(2)
  expect(second.revokedCount()).toBe(1)
  expect(posted).toEqual([
    { type: 'requestLargePage', turnId: 1 },
    { type: 'releaseLargePage' },
    { type: 'requestLargePage', turnId: 2 },
  ])
})

test('a turn that is granted when its page is no longer wanted lets no other page be read', async () => {
  const { pages, posted, acquire } = turnsOfInspection()
  const stop = new AbortController()
  const first = acquire(stop.signal)
  const second = acquire()
  await Promise.resolve()
  stop.abort(new Error('no longer wanted'))
  await expect(first.page).rejects.toThrow('no longer wanted')
  await until('the turn is given back, and the next one asked for', () => posted.length === 3)
  let isRead = false
  const reading = second.page.then((page) => {
    isRead = true
    return page
  })
  pages.granted(1)
  await nextTurn()
  expect(isRead).toBe(false)
  pages.granted(2)
  ;(await reading)[Symbol.dispose]()
  expect(isRead).toBe(true)
})
