import { expect, test } from 'bun:test'
import { filenameOf } from '../../../server/fetching/content/content-disposition.ts'
import { MAX_HOSTILE_INPUT_SECONDS, processorSeconds } from '../../support/hostile-input.ts'

test.each([
  ...[';', '"', '\\', '=', "'", '%', ' ', 'a=b;', 'a="', 'filename=a;', '; filename*='],
  ...["filename*=utf-8''%;", "filename*='"],
])(
  'a Content-Disposition of 200,000 characters that repeats %p is parsed in less than two seconds',
  (part) => {
    const repeated = part.repeat(200_000 / part.length)
    const parse = () => {
      filenameOf(repeated)
      filenameOf(`attachment; filename="${repeated}`)
    }
    expect(processorSeconds(parse)).toBeLessThan(MAX_HOSTILE_INPUT_SECONDS)
  },
)
