import type { Bench } from '../bench.ts'
import { ceiling } from '../contenders/ceiling.ts'
import {
  CEILING,
  CEILING_COMMAND,
  type Contender,
  SERVICE_FIRST,
  SERVICE_FOURTH,
  ZIP_COMMAND,
} from '../contenders/contender.ts'
import { curlAlone, downloadAndZip } from '../contenders/download-and-zip.ts'
import { floors } from '../contenders/floors.ts'
import { python } from '../contenders/python.ts'
import { service } from '../contenders/service.ts'
import { zipCommand } from '../contenders/zip-command.ts'
import { zipstreamer } from '../contenders/zipstreamer.ts'
import type { Served } from '../origin/start.ts'
import { W1, W2, W3, W4, W5, W7 } from '../workloads.ts'
import type { Measurement } from './measurement.ts'
import { type PackingTarget, packing } from './packing.ts'

/** The measurements of one workload each, with the budgets of their speed as targets: below them, nothing is tuned. */
export const packings: readonly Measurement[] = [
  packing({
    workload: W1,
    contenders: (bench, served) => [
      ...own(bench, served),
      service(bench, served, 'first and fourth'),
      ...peers(bench, served),
    ],
    targets: [ratio(SERVICE_FIRST, CEILING, 1.7), ratio(SERVICE_FOURTH, CEILING, 1.3)],
  }),
  packing({ workload: W2, contenders: everybody, targets: [ratio(SERVICE_FIRST, CEILING, 1)] }),
  packing({ workload: W3, contenders: everybody, targets: [ratio(SERVICE_FIRST, CEILING, 1)] }),
  packing({ workload: W4, contenders: everybody, targets: [ratio(SERVICE_FIRST, CEILING, 0.85)] }),
  packing({
    workload: W5,
    contenders: (bench, served) => [
      ...own(bench, served),
      service(bench, served, 'first'),
      curlAlone(bench, served),
    ],
    targets: [],
  }),
  packing({
    workload: W7,
    // More URLs than a job of the service may have, and more files than most file systems like.
    contenders: own,
    targets: [ratio(ZIP_COMMAND, CEILING_COMMAND, 2), { of: ZIP_COMMAND, to: null, atMostMB: 200 }],
  }),
]

function everybody(bench: Bench, served: Served): Contender[] {
  return [...own(bench, served), service(bench, served, 'first'), ...peers(bench, served)]
}

function own(bench: Bench, served: Served): Contender[] {
  return [ceiling(bench, served), ...floors(bench, served), zipCommand(bench, served)]
}

function peers(bench: Bench, served: Served): Contender[] {
  return [...downloadAndZip(bench, served), python(bench, served), zipstreamer(bench, served)]
}

function ratio(of: string, to: string, atMost: number): PackingTarget {
  return { of, to, atMost }
}
