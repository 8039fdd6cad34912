import { expect, test } from 'vitest'
import { NO_ENTITIES } from '#shared/assistant/intents.ts'
import type { Draft, Section, Source } from '../drafts.ts'
import { compose } from './composition.ts'

const source = (record: string, more: Partial<Source> = {}): Source => ({
  ...{
    record,
    kind: 'fact',
    title: record,
    url: '/x',
    source: null,
    checked_on: null,
    changed_on: null,
    is_expired: false,
    excerpt: null,
  },
  ...more,
})
const draft = (sections: Section[], sources: Source[] = []): Draft => ({
  ...{ language: 'en', status: 'answered', opening: ['Hello.'], sections, closing: ['More?'], sources },
  analysis: { intent: 'general_inquiry', confidence: 1, entities: NO_ENTITIES, dangers: [], possible_danger: null },
  ...{ quickActions: [], mapLocales: [], danger: null, helpLine: null, warning: null },
})

test('behind each statement stands the number of its record, counted as they are spoken of', () => {
  const { content, citations, records } = compose(
    draft(
      [
        {
          lead: { text: 'Of A:', records: ['a'] },
          statements: [
            { text: 'One', records: ['a'] },
            { text: 'Two', records: ['b', 'a'] },
          ],
        },
        { lead: { text: 'Also:', records: [] }, statements: [{ text: 'Three', records: ['b'] }] },
        { lead: null, statements: [{ text: 'Four', records: ['c'] }] },
      ],
      [source('c'), source('b'), source('a'), source('unused')],
    ),
  )
  expect(content).toBe('Hello.\n\nOf A: [1]\n\n- One\n- Two [2]\n\nAlso:\n\n- Three [2]\n\nFour [3]\n\nMore?')
  expect(records).toEqual(['a', 'b', 'c'])
  expect(citations.map(({ n, record }) => [n, record])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
  ])
})

test('a statement without a record, or with one that nobody can look up, is never said', () => {
  const draftWith = (records: string[]) =>
    draft([{ lead: null, statements: [{ text: 'The moon is made of cheese', records }] }])
  expect(() => compose(draftWith([]))).toThrow('has no record')
  expect(() => compose(draftWith(['a']))).toThrow('there is no source')
})

test('a source that does not lead into the web or the portal leads nowhere', () => {
  const section = { lead: null, statements: [{ text: 'One', records: ['a'] }] }
  const { citations } = compose(draft([section], [source('a', { url: 'javascript:alert(1)' })]))
  expect(citations[0]!.url).toBeNull()
})
