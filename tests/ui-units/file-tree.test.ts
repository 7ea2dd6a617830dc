import { expect, test } from 'bun:test'
import { type TreeRow, treeRows, unfoldedRows } from '../../ui/src/base/file-tree.ts'

const NAMES = ['top.pdf', 'a/b/1.pdf', 'c/2.pdf', 'a/3.pdf', 'a/b/4.pdf']

test('Folders come before files, each with what is in it below', () => {
  expect(treeRows(filesOf(NAMES)).map(text)).toEqual([
    'a/ (3)',
    ' a/b/ (2)',
    '  a/b/1.pdf',
    '  a/b/4.pdf',
    ' a/3.pdf',
    'c/ (1)',
    ' c/2.pdf',
    'top.pdf',
  ])
})

test('A folded folder hides what is in it, also folders that are open themselves', () => {
  const rows = treeRows(filesOf(NAMES))
  expect(unfoldedRows(rows, (path) => path === 'a/').map(text)).toEqual([
    'a/ (3)',
    'c/ (1)',
    ' c/2.pdf',
    'top.pdf',
  ])
  expect(unfoldedRows(rows, (path) => path === 'a/b/' || path === 'c/').map(text)).toEqual([
    'a/ (3)',
    ' a/b/ (2)',
    ' a/3.pdf',
    'c/ (1)',
    'top.pdf',
  ])
})

function filesOf(names: readonly string[]) {
  return names.map((name) => ({ name }))
}

function text(row: TreeRow<{ name: string }>): string {
  const indent = ' '.repeat(row.depth)
  return row.kind === 'folder' ? `${indent}${row.path} (${row.files.length})` : indent + row.file.name
}
