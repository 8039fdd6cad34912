import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

test('concurrent items are processed together, and each caller gets their own result', async () => {
  const batches: number[][] = []
  const double = inBatches(async (items: number[]) => {
    batches.push(items)
    return items.map((item) => item * 2)
  })
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(batches).toEqual([[1, 2, 3]])
  expect(await double(4)).toBe(8)
})

test('while a batch runs the next one fills, up to the maximum size', async () => {
  const sizes: number[] = []
  let release = () => {}
  const same = inBatches(
    async (items: number[]) => {
      sizes.push(items.length)
      if (sizes.length === 1) await new Promise<void>((resolve) => (release = resolve))
      return items
    },
    { maxItems: 3 },
  )
  const first = same(0)
  await new Promise(setImmediate)
  const others = Promise.all([1, 2, 3, 4, 5].map(same))
  await new Promise(setImmediate)
  expect(sizes).toEqual([1])
  release()
  expect(await first).toBe(0)
  expect(await others).toEqual([1, 2, 3, 4, 5])
  expect(sizes).toEqual([1, 3, 2])
})

test('a failing item fails only for its own caller', async () => {
  const check = inBatches(async (items: number[]) => {
    if (items.includes(2)) throw new Error('two')
    return items
  })
  const results = await Promise.allSettled([1, 2, 3].map(check))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
