import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dataPaths } from '../../server/data/data-dir.ts'
import { archivesIn } from '../support/archives-in.ts'
import { signInOwner } from '../support/client.ts'
import { type Holdall, type HoldallOptions, startHoldall } from '../support/executable.ts'
import { startOrigin } from '../support/origin.ts'
import { parseMetrics } from '../support/parse-metrics.ts'
import { until } from '../support/until.ts'

test('A service that has started warms up, and no list, metric or file shows it', async () => {
  await using holdall = await startWarmingUp()
  await untilWarmedUp(holdall)
  expect(existsSync(dataPaths(holdall.dataDir).warmUp)).toBeFalse()
  expect(archivesIn(holdall.dataDir)).toEqual([])
  const client = await signInOwner(holdall)
  expect(await (await client.request('GET', '/jobs')).json()).toMatchObject({ jobs: [] })
  expect(await figure(holdall, 'holdall_fetched_bytes_total')).toBe(0)
  expect(await figure(holdall, 'holdall_source_connections')).toBe(0)
})

test('A job that comes while the service warms up is packed', async () => {
  await using origin = await startOrigin()
  await using holdall = await startWarmingUp()
  const client = await signInOwner(holdall)
  await untilWarmUp(holdall)
  const urls = ['/bytes/20000/a.bin', '/bytes/20/b.txt'].map((path) => origin.url(path))
  const jobId = await client.createJob({ urls })
  expect(await client.untilEnded(jobId)).toMatchObject({ status: 'completed', file_count: 2 })
  expect(existsSync(dataPaths(holdall.dataDir).warmUp)).toBeFalse()
})

test('A stop while the service warms up ends it, and leaves no file', async () => {
  await using holdall = await startWarmingUp()
  await untilWarmUp(holdall)
  expect(await holdall.stop()).toBe(0)
  expect(existsSync(dataPaths(holdall.dataDir).warmUp)).toBeFalse()
})

test('After a kill while the service warms up, the next start leaves no file', async () => {
  await using holdall = await startWarmingUp()
  await untilWarmUp(holdall)
  await holdall.kill()
  await holdall.restart()
  await untilWarmedUp(holdall)
  expect(existsSync(dataPaths(holdall.dataDir).warmUp)).toBeFalse()
})

test('Where clients may need the descriptors, the service does not warm up', async () => {
  await using holdall = await startWarmingUp({ under: ['/bin/sh', '-c', 'ulimit -n 1024; exec "$@"', 'sh'] })
  await until(() => holdall.output().includes('warm-up skipped'))
})

function startWarmingUp(options: HoldallOptions = {}): Promise<Holdall> {
  return startHoldall({ args: ['--log-level', 'debug'], ...options })
}

/** On a busy machine, the warm-up may have ended before this process has seen it. */
function untilWarmUp(holdall: Holdall): Promise<void> {
  return until(() => existsSync(dataPaths(holdall.dataDir).warmUp) || hasWarmedUp(holdall))
}

function untilWarmedUp(holdall: Holdall): Promise<void> {
  return until(() => hasWarmedUp(holdall))
}

function hasWarmedUp(holdall: Holdall): boolean {
  return holdall.output().includes('warm-up completed')
}

async function figure({ address }: Holdall, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return parseMetrics(text).find((sample) => sample.name === name)?.value
}
