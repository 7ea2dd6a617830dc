/** A worker thread that crashes when the first text arrives to be compressed. It tells `CRASHING_HELPER_CHANNEL` when it is connected. */
import type { ToWorker } from '../../server/engine/threads/messages.ts'
import { CRASHING_HELPER_CHANNEL } from './crashing-helper-channel.ts'

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'reportStart') {
    Atomics.store(data.started, 0, 1)
    Atomics.notify(data.started, 0)
  }
  if (data.type !== 'compress') return
  data.port.onmessage = () => {
    throw new Error('a fault on purpose')
  }
  new BroadcastChannel(CRASHING_HELPER_CHANNEL).postMessage('connected')
}
