/**
 * `bun generate-client.ts GENERATOR DOCUMENT OUTPUT`: runs a generator of clients on an OpenAPI document. Both generators use
 * the programming interface of the TypeScript compiler, which version 7 lacks, so they get version 6.
 */
import ts from '@typescript/typescript6'
import { plugin } from 'bun'

plugin({
  name: 'typescript 6',
  setup(build) {
    build.module('typescript', () => ({ exports: { ...ts, default: ts }, loader: 'object' }))
  },
})

const [generator, input = '', output = ''] = process.argv.slice(2)
// Imported after the plugin is set up.
if (generator === 'openapi-typescript') {
  const { astToString, default: generate } = await import('openapi-typescript')
  await Bun.write(output, astToString(await generate(await Bun.file(input).text())))
} else {
  const { createClient } = await import('@hey-api/openapi-ts')
  await createClient({ input, output, logs: { level: 'warn', file: false } })
}
