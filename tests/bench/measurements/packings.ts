import type { Bench } from '../bench.ts'
import { ceiling } from '../contenders/ceiling.ts'
import {
  CEILING,
  CEILING_COMMAND,
  type Contender,
  CURL,
  CURL_ZIP_0,
  CURL_ZIP_6,
  SERVICE_FIRST,
  SERVICE_FOURTH,
  ZIP_COMMAND,
  ZIPSTREAMER,
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

/** The measurements of one workload each, with their targets. */
export const packings: readonly Measurement[] = [
  packing({
    workload: W1,
    contenders: (bench, served) => [
      ...own(bench, served),
      service(bench, served, 'first and fourth'),
      ...peers(bench, served),
    ],
    targets: [
      ratio(SERVICE_FIRST, CEILING, 1.5),
      ratio(SERVICE_FOURTH, CEILING, 1.2),
      ratio(SERVICE_FIRST, ZIPSTREAMER, 1),
      ratio(SERVICE_FIRST, CURL_ZIP_0, 1),
    ],
  }),
  packing({ workload: W2, contenders: everybody, targets: [ratio(SERVICE_FIRST, CEILING, 1.15)] }),
  packing({ workload: W3, contenders: everybody, targets: [ratio(SERVICE_FIRST, CEILING, 1.15)] }),
  packing({
    workload: W4,
    contenders: everybody,
    targets: [
      ratio(SERVICE_FIRST, CEILING, 0.8),
      // 2.5 times as fast.
      ratio(SERVICE_FIRST, CURL_ZIP_6, 0.4),
      { of: SERVICE_FIRST, to: CURL_ZIP_6, field: 'archiveBytes', target: { atMost: 1.03 } },
    ],
  }),
  packing({
    workload: W5,
    contenders: (bench, served) => [
      ...own(bench, served),
      service(bench, served, 'first'),
      curlAlone(bench, served),
    ],
    targets: [ratio(SERVICE_FIRST, CURL, 0.55)],
  }),
  packing({
    workload: W7,
    // More URLs than a job of the service may have, and more files than most file systems like.
    contenders: own,
    targets: [
      // 2.6 s where the ceiling takes 1.8.
      ratio(ZIP_COMMAND, CEILING_COMMAND, 2.6 / 1.8),
      { of: ZIP_COMMAND, to: null, field: 'peakBytes', target: { atMost: 150 } },
    ],
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
  return { of, to, field: 'wallMs', target: { atMost } }
}
