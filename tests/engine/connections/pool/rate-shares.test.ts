import { expect, test } from 'bun:test'
import { connectionsAt, RateShares } from '../../../../server/engine/connections/pool/rate-shares.ts'

const RATE = 1_000_000

test('everybody together gets the rate, evenly by users and then by jobs', () => {
  const shares = openShares()
  const jobs = [shares.job('ann'), shares.job('ann'), shares.job('ann'), shares.job('bob')]
  for (const job of jobs) job.isHungry = true
  shares.run(10_000)
  const bytes = jobs.map(({ gotBytes }) => gotBytes)
  const sum = bytes.reduce((all, each) => all + each, 0)
  expect(sum / (RATE * 10)).toBeWithin(0.97, 1.03)
  expect((bytes[3] ?? 0) / (RATE * 5)).toBeWithin(0.97, 1.03)
  for (const ofAnn of bytes.slice(0, 3)) expect(ofAnn / ((RATE * 5) / 3)).toBeWithin(0.97, 1.03)
})

test('a job that does not need its share leaves it to the others', () => {
  const shares = openShares()
  const slow = shares.job('ann')
  const fast = shares.job('bob')
  fast.isHungry = true
  shares.run(10_000, () => {
    // A source that brings a tenth of what it might.
    slow.read(RATE / 10 / 20)
  })
  expect(slow.gotBytes).toBeLessThan(RATE * 1.5)
  expect((slow.readBytes + fast.gotBytes) / (RATE * 10)).toBeWithin(0.94, 1.03)
})

test('what a read brings beyond its grant is paid before the next one', () => {
  const shares = openShares()
  const job = shares.job('ann')
  job.owe(500_000)
  shares.run(400)
  expect(job.gotBytes).toBe(0)
  shares.run(200)
  expect(job.gotBytes).toBeGreaterThan(500_000)
})

test('a time without readers is not made up for', () => {
  const shares = openShares()
  const job = shares.job('ann')
  shares.advance(60_000)
  job.isHungry = true
  shares.run(1000)
  expect(job.gotBytes).toBeLessThan(RATE * 1.3)
})

test('a job that has ended gets nothing', () => {
  const shares = openShares()
  const [ended, other] = [shares.job('ann'), shares.job('bob')]
  ended.isHungry = other.isHungry = true
  shares.run(100)
  const before = ended.gotBytes
  ended.leave()
  shares.run(10_000)
  expect(ended.gotBytes).toBe(before)
  expect(other.gotBytes / (RATE * 10)).toBeWithin(0.95, 1.05)
})

test('another rate holds at once, for jobs that wait, too', () => {
  const shares = openShares()
  const job = shares.job('ann')
  job.isHungry = true
  shares.run(1000)
  const before = job.gotBytes
  shares.changeRate(RATE / 10)
  shares.run(10_000)
  expect((job.gotBytes - before) / RATE).toBeWithin(0.95, 1.05)
})

test.each([
  [null, 64],
  [100_000_000, 64],
  [500_000, 31],
  [1000, 4],
])('at %p bytes per second, %d connections are used at once', (rate, connections) => {
  expect(connectionsAt(rate, 64)).toBe(connections)
})

/** The clock moves only as the test says, and so do the shares. */
function openShares() {
  let nowMs = 0
  const shares = new RateShares(RATE, () => nowMs)
  const jobs: { ask(): void }[] = []

  function job(group: string) {
    const client = {
      group,
      granted(sizeBytes: number) {
        state.gotBytes += sizeBytes
        state.leftBytes += sizeBytes
        isWaiting = false
      },
    }
    let isWaiting = false
    const state = {
      isHungry: false,
      gotBytes: 0,
      readBytes: 0,
      leftBytes: 0,
      owe(sizeBytes: number) {
        isWaiting = true
        shares.request(client, sizeBytes)
      },
      /** Reads what a source has sent. */
      read(sizeBytes: number) {
        if (state.leftBytes <= 0) return
        state.readBytes += sizeBytes
        state.leftBytes -= sizeBytes
      },
      /** Asks for more when it has nothing. */
      ask() {
        if (state.isHungry) state.leftBytes = Math.min(0, state.leftBytes)
        if (!isWaiting && state.leftBytes <= 0 && (state.isHungry || group === 'ann'))
          state.owe(-state.leftBytes)
      },
      leave() {
        state.isHungry = false
        shares.leave(client)
      },
    }
    jobs.push(state)
    return state
  }

  return {
    job,
    changeRate: (bytesPerSecond: number) => shares.changeRate(bytesPerSecond),
    advance: (ms: number) => {
      nowMs += ms
    },
    run(ms: number, eachStep = () => {}) {
      for (let ranMs = 0; ranMs < ms; ranMs += 50) {
        for (const each of jobs) each.ask()
        nowMs += 50
        shares.share()
        eachStep()
      }
    },
  }
}
