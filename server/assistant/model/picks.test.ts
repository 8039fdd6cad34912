import fc from 'fast-check'
import { expect, test } from 'vitest'
import { picksIn } from './picks.ts'

const ids = new Set(['S1', 'S2', 'S3', 'S12'])
const named = (text: string) => picksIn(text, ids).map(({ id, connector }) => (connector ? `${connector} ${id}` : id))

test.each([
  ['lines', 'S2\nC2 S1\nS3', ['S2', 'C2 S1', 'S3']],
  ['the marks of citations', 'It is valid. [S2] It takes a day. [S1]', ['S2', 'S1']],
  ['JSON in a fence', '```json\n{"order": ["S3", "C1", "S12"]}\n```', ['S3', 'C1 S12']],
  ['a numbered list', '1. S2\n2. **S1**', ['S2', 'S1']],
  ['prose', 'Sure! I would begin with S3, then perhaps S1.', ['S3', 'S1']],
  ['an id twice', 'S2 S1 S2 C1 S1', ['S2', 'S1']],
  ['ids and connectors that do not exist', 'S9 C7 S1 S100 C99 S4', ['S1']],
  ['ids within words', 'XS1 S2x 3S3 S1_', ['S1']],
  ['nothing', '', []],
  ['a connector alone', 'C1 C2', []],
])('reads the ids from %s', (_, text, picks) => {
  expect(named(text)).toEqual(picks)
})

test('whatever the output, only offered ids are read, each once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('S1', 'S2', 'S3', 'S12', 'C1', 'C3', 'S8'), fc.string())),
      (chunks) => {
        const picks = picksIn(chunks.join(' '), ids)
        expect(picks.every(({ id, connector }) => ids.has(id) && [null, 'C1', 'C2', 'C3'].includes(connector))).toBe(
          true,
        )
        expect(new Set(picks.map(({ id }) => id)).size).toBe(picks.length)
      },
    ),
  )
})
