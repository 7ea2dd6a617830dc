import { expect, test } from 'bun:test'
import { signInOwner } from '../support/client.ts'
import { startHoldall } from '../support/executable.ts'
import { until } from '../support/until.ts'

test('A kill in the middle of changes of settings leaves all of one change, and no half of one', async () => {
  await using holdall = await startHoldall()
  const { key } = await signInOwner(holdall)
  const send = (method: string, body?: object) =>
    fetch(`${holdall.address}/service/settings`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body && { body: JSON.stringify(body) }),
    })
  for (let kills = 0; kills < 3; kills++) {
    let answered = 0
    const changes = (async () => {
      for (let count = 1; ; count++) {
        const reply = await send('PATCH', { jobs: count % 60 || 60, connections: count % 60 || 60 })
        if (reply.status === 200) answered = count % 60 || 60
      }
    })().catch(() => {})
    await until('five changes are answered', () => answered >= 5, { everyMs: 1 })
    await holdall.kill()
    await changes
    await holdall.restart()
    const { settings } = JSON.parse(await (await send('GET')).text())
    expect(settings.jobs).toMatchObject({ source: 'owner', value: settings.connections.value })
    // The last one may have been written without an answer.
    expect([answered, (answered % 60) + 1]).toContain(settings.jobs.value)
  }
})
