import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { type BuiltEntry, buildZip } from '../../support/built-zip.ts'
import { flipByte } from '../../support/flip-byte.ts'
import { runCommand } from '../../support/holdall-command.ts'
import { type TempDir, tempDir } from '../../support/temp-dir.ts'

const verify = (dir: TempDir, ...args: readonly string[]) =>
  runCommand(['verify', ...args], { cwd: dir.path })

const FILES: readonly BuiltEntry[] = [
  { name: 'a.txt', content: 'text '.repeat(100_000), method: 8 },
  { name: 'b.bin', content: Buffer.alloc(3_000_000, 'bytes') },
]

describe('holdall verify', () => {
  test('says that an archive is all right, with exit code 0', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('a.zip'), buildZip(FILES))
    const { exitCode, stdout, stderr } = await verify(dir, 'a.zip')
    expect(stderr).toBe('')
    expect(stdout).toEndWith('a.zip: 2 files, 3 MB, 3.5 MB unpacked: all right\n')
    expect(exitCode).toBe(0)
  })

  test('says each finding in a sentence, with exit code 1', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('a.zip'), buildZip([...FILES, { name: '../c\u001b[2J', content: 'c' }]))
    flipByte(dir.file('a.zip'), 1_000_000)
    const { exitCode, stdout, stderr } = await verify(dir, 'a.zip')
    expect(stdout).toContain('b.bin: Its content is damaged: its CRC-32 differs.\n')
    expect(stdout).toContain('../c\\u{1b}[2J: Its name leads out of the folder that it is unpacked to.\n')
    expect(stderr).toMatch(/^holdall: \S+a\.zip: 2 findings\n$/)
    expect(exitCode).toBe(1)
  })

  test('prints one JSON object with --json', async () => {
    using dir = tempDir()
    writeFileSync(dir.file('a.zip'), buildZip([...FILES, { name: 'c', content: 'c', method: 93 }]))
    const { exitCode, stdout } = await verify(dir, '--json', 'a.zip')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      file_count: 3,
      unpacked_size: 3_500_001,
      checksums: null,
      findings: [
        {
          code: 'METHOD_NOT_SUPPORTED',
          entry: 'c',
          message: 'It is compressed by Zstandard, which is not supported: its content cannot be checked.',
        },
      ],
      finding_count: 1,
      remarks: [],
      remark_count: 0,
    })
  })

  test.each([
    [
      'there is no file',
      ['missing.zip'],
      /^holdall: There is no file \S+missing\.zip\. Name a ZIP file\.\n$/,
    ],
    ['it is a directory', ['.'], /^holdall: \S+ is not a file\. Name a ZIP file\.\n$/],
    ['no file is named', [], /^holdall: .*FILE\.zip/],
  ])('ends with exit code 2 when %s', async (_, args, message) => {
    using dir = tempDir()
    const { exitCode, stdout, stderr } = await verify(dir, ...args)
    expect(stderr).toMatch(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })
})
