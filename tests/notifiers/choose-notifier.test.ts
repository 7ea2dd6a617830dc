import { describe, expect, test } from 'bun:test'
import {
  chooseNotifier,
  MAX_ATTEMPTS,
  MAX_MAILS,
  type OwnedNotifier,
} from '../../server/notifiers/choose-notifier.ts'

const hook = (userId: string, notifierId = `${userId}1`): OwnedNotifier => ({
  userId,
  notifierId,
  kind: 'webhook',
})
const mail = (userId: string): OwnedNotifier => ({ ...hook(userId, `${userId} mail`), kind: 'email' })

/** Chooses until no notifier may make another attempt. @returns all attempts that then run */
function fill(ready: readonly OwnedNotifier[], running: readonly OwnedNotifier[] = []): OwnedNotifier[] {
  const attempts = [...running]
  const queue = [...ready]
  for (;;) {
    const chosen = chooseNotifier(queue, attempts)
    if (chosen === null) return attempts
    attempts.push(chosen)
    queue.push(...queue.splice(queue.indexOf(chosen), 1))
  }
}
const countOf = (attempts: readonly OwnedNotifier[], userId: string) =>
  attempts.filter((attempt) => attempt.userId === userId).length

describe('Attempts at once', () => {
  test('are at most two per notifier', () => {
    expect(fill([hook('ann')])).toHaveLength(2)
  })

  test('are at most eight per user', () => {
    expect(fill(Array.from({ length: 20 }, (_, index) => hook('ann', `${index}`)))).toHaveLength(8)
  })

  test('are few at the mail server, and leave the others to webhooks', () => {
    const mails = Array.from({ length: 30 }, (_, index) => mail(`user ${index}`))
    const attempts = fill([...mails, hook('ann')])
    expect(attempts.filter(({ kind }) => kind === 'email')).toHaveLength(MAX_MAILS)
    expect(countOf(attempts, 'ann')).toBe(2)
  })

  test('are shared evenly, in the order in which the notifiers wait', () => {
    const hooks = ['ann', 'bob'].flatMap((user) => [1, 2, 3, 4].map((index) => hook(user, user + index)))
    const attempts = fill(hooks)
    expect([countOf(attempts, 'ann'), countOf(attempts, 'bob')]).toEqual([8, 8])
    expect(attempts.slice(0, 4).map(({ notifierId }) => notifierId)).toEqual(['ann1', 'bob1', 'ann2', 'bob2'])
  })

  test('leave half of the slots to users without any', () => {
    const greedy = ['a', 'b', 'c', 'd'].flatMap((user) =>
      [1, 2, 3, 4].map((index) => hook(user, user + index)),
    )
    const running = fill(greedy)
    expect(running).toHaveLength(MAX_ATTEMPTS / 2)
    const others = Array.from({ length: MAX_ATTEMPTS }, (_, index) => hook(`user ${index}`))
    const all = fill([...greedy, ...others], running)
    expect(all).toHaveLength(MAX_ATTEMPTS)
    for (const { userId } of all.slice(running.length)) expect(countOf(all, userId)).toBe(1)
  })
})
