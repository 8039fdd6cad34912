import { expect, test } from 'vitest'
import { differenceOf } from './difference.ts'

test.each([
  [{ role: 'member' }, { role: 'admin' }, [{ field: 'role', before: 'member', after: 'admin' }]],
  [null, { ended: 2 }, [{ field: 'ended', before: null, after: '2' }]],
  [
    { a: ['x', 'y'], b: '' },
    { a: [], b: false },
    [
      { field: 'a', before: 'x, y', after: '–' },
      { field: 'b', before: '–', after: 'false' },
    ],
  ],
  [null, { at: '2027-12-31T23:59:59.000Z' }, [{ field: 'at', before: null, after: '2027-12-31 23:59 UTC' }]],
  ['one', 'two', [{ field: '', before: 'one', after: 'two' }]],
  [{ deep: { a: [{ b: 1 }] } }, null, [{ field: 'deep', before: '{"a":[{"b":1}]}', after: null }]],
  [null, null, []],
])('from %j to %j', (before, after, fields) => {
  expect(differenceOf(before, after)).toEqual(fields)
})

test('a long text is truncated', () => {
  expect(differenceOf(null, { text: 'x'.repeat(5000) })[0]!.after).toHaveLength(401)
})
