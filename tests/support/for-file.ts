import { afterAll } from 'bun:test'

/** The resources of the current test file. Test files run one after another. */
let resources: AsyncDisposableStack | null = null

/**
 * Keeps a resource for all tests of a file: `const service = forFile(await startService())`. Resources are disposed of
 * after the last test, in reverse order.
 */
export function forFile<T extends AsyncDisposable | Disposable>(resource: T): T {
  resources ??= openStackForFile()
  return resources.use(resource)
}

function openStackForFile(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack()
  afterAll(async () => {
    resources = null
    await stack.disposeAsync()
  })
  return stack
}
