import type { Plugin } from 'vite'

/**
 * Refuses a file that awaits something at its top level: when several import it at the same time, Safari may run one of them before it
 * (WebKit bug 242740), and a page fails.
 */
export function noTopLevelAwait(): Plugin {
  return {
    name: 'no-top-level-await',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk' && awaits(this.parse(output.code)))
          this.error(`${output.fileName} has a top-level await`)
    },
  }
}

/** Whether a part of a syntax tree (ESTree) awaits something outside a function. */
function awaits(part: unknown): boolean {
  if (part === null || typeof part !== 'object') return false
  if ('type' in part && typeof part.type === 'string') {
    if (part.type === 'AwaitExpression' || ('await' in part && part.await === true)) return true
    if (part.type.includes('Function')) return false
  }
  return Object.values(part).some(awaits)
}
