import { importsOf, type SourceFile } from './architecture.ts'

/**
 * All values that a file of the server or the interface exports and no file that imports it names, one line each. Types may be exported
 * for nobody: they name the shape of what a public function takes or returns.
 */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const imports = new Map<string, string[]>()
  for (const file of files)
    for (const { target, namedIn } of importsOf(file))
      imports.set(target, [...(imports.get(target) ?? []), namedIn])
  return files
    .filter(({ path }) => /^(?:server|ui)\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORTED_VALUE)]
        .map(([, name = '']) => name)
        .filter((name) => !imports.get(path)?.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
        .map((name) => `${path} exports ${name}`),
    )
}

const EXPORTED_VALUE = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class) (\w+)/gm
