import { type Accessor, createEffect, createSignal, onCleanup } from 'solid-js'
import type { Link } from '../links/link.ts'
import { expectedName } from './expected-name.ts'

/**
 * The expected name of each link, numbered where names repeat. They are computed in a worker whenever the links change. Until
 * then, a name is not numbered.
 */
export function createExpectedNames(links: Accessor<readonly Link[]>): (index: number) => string {
  const [named, setNamed] = createSignal<{ links: readonly Link[]; names: readonly string[] }>()
  const worker = new Worker(new URL('./name-worker.ts', import.meta.url), { type: 'module' })
  /** The lists that the worker has been given and has not answered, in their order. */
  const sent: (readonly Link[])[] = []
  worker.addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => {
    const answered = sent.shift()
    if (answered !== undefined) setNamed({ links: answered, names: data })
  })
  createEffect(() => {
    const list = links()
    // To copy thousands of links for the worker would delay that they are shown.
    const timer = setTimeout(() => {
      sent.push(list)
      worker.postMessage(list)
    })
    onCleanup(() => clearTimeout(timer))
  })
  onCleanup(() => worker.terminate())
  return (index) => {
    const link = links()[index]
    const known = named()
    if (known?.links === links()) return known.names[index] ?? ''
    return link === undefined ? '' : expectedName(link)
  }
}
