import { expect, test } from 'vitest'
import { besidePanel, plainOf } from './plain-text.ts'

test.each([
  ['**PDOS** is required. [1]', 'PDOS is required.'],
  ['1. First [1]\n2. Second [2][3]', '1. First\n2. Second'],
  ['- one\n- two', 'one\ntwo'],
  ['See [the page](/travel-faq) now', 'See the page now'],
  ['# Title\n\n\nWords', 'Title\nWords'],
  ['_said_ and snake_case_name', 'said and snake_case_name'],
  ['**الشرطة**: 999 [1]', 'الشرطة: 999'],
])('%j becomes %j', (markdown, text) => expect(plainOf(markdown)).toBe(text))

test('paragraphs already in the danger panel are not repeated below it', () => {
  const panel = { title: 'Your safety comes first.', message: 'It is not your fault.' }
  const content = '**Your safety comes first.**\n\nIt is not your fault.\n\nCall the police: 999 [1]'
  expect(besidePanel(content, panel)).toBe('Call the police: 999 [1]')
  expect(besidePanel(content, null)).toBe(content)
})
