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

test('each statement is followed by the number of its record, in order of first mention', () => {
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

test('a statement without a record, or with an unknown one, is rejected', () => {
  const draftWith = (records: string[]) =>
    draft([{ lead: null, statements: [{ text: 'The moon is made of cheese', records }] }])
  expect(() => compose(draftWith([]))).toThrow('has no record')
  expect(() => compose(draftWith(['a']))).toThrow('there is no source')
})

test('a source outside the web and the portal gets no link', () => {
  const section = { lead: null, statements: [{ text: 'One', records: ['a'] }] }
  const { citations } = compose(draft([section], [source('a', { url: 'javascript:alert(1)' })]))
  expect(citations[0]!.url).toBeNull()
})
