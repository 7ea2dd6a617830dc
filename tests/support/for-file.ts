import { afterAll } from 'bun:test'

/** What the test file that runs now has taken; files run one after another. */
let taken: AsyncDisposableStack | null = null

/**
 * Keeps a resource for all tests of a file: `const service = forFile(await startService())`. It is disposed of after
 * the last of them, those taken later first.
 */
export function forFile<T extends AsyncDisposable | Disposable>(resource: T): T {
  taken ??= untilEndOfFile()
  return taken.use(resource)
}

function untilEndOfFile(): AsyncDisposableStack {
  const stack = new AsyncDisposableStack()
  afterAll(async () => {
    taken = null
    await stack.disposeAsync()
  })
  return stack
}
