import { describe, expect, test } from 'bun:test'
import { chooseWebhook, MAX_ATTEMPTS, type OwnedWebhook } from '../../server/webhooks/choose-webhook.ts'

const hook = (userId: string, webhookId = `${userId}1`): OwnedWebhook => ({ userId, webhookId })

/** Chooses until no webhook may make another attempt. @returns all attempts that then run */
function fill(ready: readonly OwnedWebhook[], running: readonly OwnedWebhook[] = []): OwnedWebhook[] {
  const attempts = [...running]
  const queue = [...ready]
  for (;;) {
    const chosen = chooseWebhook(queue, attempts)
    if (chosen === null) return attempts
    attempts.push(chosen)
    queue.push(...queue.splice(queue.indexOf(chosen), 1))
  }
}
const countOf = (attempts: readonly OwnedWebhook[], userId: string) =>
  attempts.filter((attempt) => attempt.userId === userId).length

describe('Attempts at once', () => {
  test('are at most two per webhook', () => {
    expect(fill([hook('ann')])).toHaveLength(2)
  })

  test('are at most eight per user', () => {
    expect(fill(Array.from({ length: 20 }, (_, index) => hook('ann', `${index}`)))).toHaveLength(8)
  })

  test('are shared evenly, in the order in which the webhooks wait', () => {
    const hooks = ['ann', 'bob'].flatMap((user) => [1, 2, 3, 4].map((index) => hook(user, user + index)))
    const attempts = fill(hooks)
    expect([countOf(attempts, 'ann'), countOf(attempts, 'bob')]).toEqual([8, 8])
    expect(attempts.slice(0, 4).map(({ webhookId }) => webhookId)).toEqual(['ann1', 'bob1', 'ann2', 'bob2'])
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
