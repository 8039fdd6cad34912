import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextIndex } from './text-index.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ñ', '東', '😀'), minLength: 1, maxLength: 5 })
const texts = fc.array(
  fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
  { maxLength: 30 },
)

test('a word is found in the same texts before and after the index is built', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.array(word, { minLength: 1, maxLength: 8 }), async (all, words) => {
      const truth = words.map((word) => all.flatMap((text, i) => (text.includes(word) ? [i] : [])))
      const index = createTextIndex(all)
      const find = () => words.map((word) => [...index.containing(word)])
      expect(find()).toEqual(truth)
      await index.isMade
      expect(find()).toEqual(truth)
    }),
  )
})
