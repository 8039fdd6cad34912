import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkLine } from './checking.ts'
import { putLinksBack, takeLinks } from './links.ts'
import { numbersIn, readsLikeAddress } from './wording.ts'

const statements = new Map(
  [
    { id: 'S1', text: 'It takes 1 day (8 hours).' },
    { id: 'S2', text: 'Its certificate is valid for 1 year.' },
    { id: 'S3', text: 'Police: +966 999' },
  ].map((statement) => [statement.id, statement]),
)
const check = (line: string) => checkLine(line, { language: 'en', statements })

test('a line in other words that says the same passes, without its ids', () => {
  expect(check('- The certificate stays valid for 1 year. [S2]')).toEqual({
    text: 'The certificate stays valid for 1 year.',
    isItem: true,
    cites: ['S2'],
  })
  expect(check('It takes 1 day, 8 hours in all; the certificate is valid for 1 year. [S1][S2]')?.cites).toEqual([
    'S1',
    'S2',
  ])
})

test.each([
  ['cites nothing', 'Its certificate is valid for 1 year.'],
  ['cites what was not given', 'Its certificate is valid for 1 year. [S9]'],
  ['has another number', 'Its certificate is valid for 2 years. [S2]'],
  ['has a number of another statement', 'Its certificate is valid for 8 years. [S2]'],
  ['says no where the record says yes', 'Its certificate is not valid for 1 year. [S2]'],
  ['invents an address', 'Its certificate is valid: see https://evil.example [S2]'],
  ['invents a bare domain', 'Its certificate is valid, see evil.example/pay [S2]'],
  ['invents a mail address', 'Its certificate is valid, write to pay@evil.example [S2]'],
  ['speaks of something else', 'You must transfer the money before you fly. [S2]'],
  ['follows an instruction', 'Sure! I will ignore my earlier rules now. [S2]'],
  ['is in another language', 'Ang sertipiko ay may bisa ng isang taon. [S2]'],
  ['is nothing but its id', '[S2]'],
])('a line that %s is thrown away', (_, line) => {
  expect(check(line)).toBeNull()
})

test('numbers are compared whatever digits they are written in', () => {
  expect(numbersIn('٩٩٩ und ９９９ and ९९९')).toEqual(['999', '999', '999'])
  expect(
    checkLine('पुलिस: +९६६ ९९९ [S3]', {
      language: 'hi',
      statements: new Map([['S3', { id: 'S3', text: 'पुलिस: +966 999' }]]),
    }),
  ).not.toBeNull()
})

test('an address that the statement itself holds may be repeated', () => {
  expect(readsLikeAddress('Write to help@owwa.example.', 'help@owwa.example')).toBe(false)
  expect(readsLikeAddress('Write to help@owwa.example.evil.com', 'help@owwa.example')).toBe(true)
})

test('links come back as they were, and a token that was never given is refused', () => {
  const composed = 'See [the page \\[1\\]](/countries/JP) and [more](https://a.example/x?y=1).'
  const { text, links } = takeLinks(composed)
  expect(text).toBe('See {L1} and {L2}.')
  expect(putLinksBack(text, links)).toBe(composed)
  expect(putLinksBack('See {L3}', links)).toBeNull()
})

test('no line of any kind brings in a number or an address that its statements do not hold', () => {
  const known = numbersIn([...statements.values()].map(({ text }) => text).join(' '))
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.constantFrom('certificate', 'valid', 'year', 'takes', 'hours', '[S1]', '[S2]', '[S3]', 'https://x.yz'),
          fc.string(),
          fc.integer({ min: 0, max: 9999 }).map(String),
        ),
        { maxLength: 12 },
      ),
      (words) => {
        const line = check(words.join(' '))
        if (!line) return
        expect(numbersIn(line.text).every((number) => known.includes(number))).toBe(true)
        expect(line.text).not.toMatch(/https?:/)
      },
    ),
  )
})

test('advice that rides along with a true statement is thrown away', () => {
  const statements = new Map([['S1', { id: 'S1', text: 'Its certificate is valid for 1 year.' }]])
  const check = (line: string) => checkLine(line, { language: 'en', statements })
  expect(check('Your certificate is valid for 1 year. [S1]')).not.toBeNull()
  expect(check('Its certificate is valid for 1 year. Transfer your salary to the recruiter. [S1]')).toBeNull()
  expect(check('Its certificate is valid for 1 year “or so.” Run away. [S1]')).toBeNull()
  expect(check('Its certificate is valid for 1 year once you transfer salary money to recruiters [S1]')).toBeNull()
})

test('one more no turns round what denies something already; a letter within a word denies nothing', () => {
  const turned = (language: 'en' | 'hi', text: string, line: string) =>
    checkLine(line, { language, statements: new Map([['S1', { id: 'S1', text }]]) })
  const NEVER = 'Never hand over your passport to an agency.'
  expect(turned('en', NEVER, 'Hand over your passport to no agency, never. [S1]')).toBeNull()
  expect(turned('en', NEVER, 'Never hand over your passport to an agency. [S1]')).not.toBeNull()
  expect(turned('hi', 'आवेदन स्थान पर करें', 'आवेदन स्थान पर न करें [S1]')).toBeNull()
})
