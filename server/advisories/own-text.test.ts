import { expect, test } from 'vitest'
import { hasOwnText } from './own-text.ts'

const entry = (detailed_information: string | null, more: { title?: string; description?: string } = {}) => ({
  title: 'Niger: Exercise Normal Precautions',
  original_wording: 'Level 1: Exercise Normal Precautions',
  description: 'Level 1: Exercise Normal Precautions.',
  detailed_information,
  ...more,
})

test.each([
  null,
  '',
  '<p></p>',
  '<p>Summary not available</p>',
  '<p>Summary not available.</p><p>&nbsp;</p>',
  '<p>Exercise normal precautions in Niger.</p>',
  // As in the list of 15 May 2026.
  '<p>Exercise normal precaution in **Niger**. Summary not available</p>',
  '<p>Niger - Level 1: Exercise Normal Precautions</p><p>Text to be added</p>',
  '<p>Niger: Level 1</p><p>Coming soon</p>',
  '<ul><li>TBD</li></ul>',
])('%s is not a text of its own', (text) => expect(hasOwnText(entry(text))).toBe(false))

test.each([
  '<p>Exercise increased caution in <strong>Niger </strong>due to<strong> terrorism, crime, </strong>and <strong>kidnapping.</strong></p>',
  '<p>The border with Mali is closed.</p>',
  '<p>Die Sicherheitslage hat sich beruhigt.</p>',
  '<p>تحسّن الوضع الأمني في العاصمة نيامي.</p>',
  '<p>Summary not available in French.</p><p>Curfews in Niamey were lifted on Monday.</p>',
])('%s is a text', (text) => expect(hasOwnText(entry(text))).toBe(true))

test.each(['<', '<br>', 'summary ', 'the summary is ', 'is currently yet ', 'latest update: ', '&a'])(
  'hundreds of thousands of "%s" are checked as quickly as a few',
  (piece) => {
    const text = piece.repeat(200_000)
    expect(hasOwnText(entry(text))).toBe(hasOwnText(entry(text.slice(0, 4_000))))
  },
)

test('a note on edits is not a text of an entry that has none', () => {
  const description = 'Exercise normal precautions. Latest update: The Health tab was updated with travel information.'
  expect(hasOwnText(entry(null, { description }))).toBe(false)
})

test('for an event without a long text its description counts', () => {
  const description = 'On 3 May, an earthquake occurred in Niger potentially affecting 20 thousand people.'
  expect(hasOwnText(entry(null, { title: 'Niger: Green Earthquake', description }))).toBe(true)
})
