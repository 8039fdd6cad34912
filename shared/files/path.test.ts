import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FilePath, fileNameFor } from './path.ts'

const isUsable = (path: string) => FilePath.safeParse(path).success

test('a place in a folder may be named in any script', () => {
  for (const path of ['passport.pdf', 'جواز السفر/٢٠٢٦.pdf', 'パスポート.jpg', 'a/b/c', 'naïve "quoted" name.png', 'ā'])
    expect(isUsable(path)).toBe(true)
  expect(FilePath.parse(' e\u0301.pdf ')).toBe('\u00e9.pdf')
})

test('a place that leads out, or hides what it says, is refused', () => {
  for (const path of [
    '',
    ' ',
    '/etc/passwd',
    '../x',
    'a/../../b',
    'a//b',
    'a/./b',
    'a/',
    '..\\x',
    'a\0b',
    'a\nb',
    'x\u202Egpj.exe',
    'a/ /b',
    'x'.repeat(301),
    '\ud800',
  ])
    expect(isUsable(path)).toBe(false)
})

test('the name to save a file under is short, has one line, no folder and the ending of what it is', () => {
  expect(fileNameFor('C:\\Users\\ana\\passport.PDF', 'application/pdf')).toBe('passport.PDF')
  expect(fileNameFor('photo.jpeg', 'image/jpeg')).toBe('photo.jpeg')
  expect(fileNameFor('page.html', 'application/pdf')).toBe('page.pdf')
  expect(fileNameFor('صورتي.png', 'image/webp')).toBe('صورتي.webp')
  expect(fileNameFor(undefined, 'image/png')).toBe('file.png')
  expect(fileNameFor('.htaccess', 'image/png')).toBe('file.png')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (input) => {
      const name = fileNameFor(input, 'application/pdf')
      expect(name).toMatch(/\.pdf$/i)
      expect(name.length <= 200 && name.isWellFormed()).toBe(true)
      expect(name).not.toMatch(/[\p{Cc}/\\\u202a-\u202e]/u)
    }),
  )
})
