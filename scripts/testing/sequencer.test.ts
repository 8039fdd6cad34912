import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SLOW } from './sequencer.ts'

test('the slow files that start first exist', () => {
  expect(SLOW.filter((file) => !existsSync(file))).toEqual([])
})
