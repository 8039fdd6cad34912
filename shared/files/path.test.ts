import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FilePath, fileNameFor } from './path.ts'

const isUsable = (path: string) => FilePath.safeParse(path).success

test('a path in a folder may use any script', () => {
  for (const path of ['passport.pdf', 'جواز السفر/٢٠٢٦.pdf', 'パスポート.jpg', 'a/b/c', 'naïve "quoted" name.png', 'ā'])
    expect(isUsable(path)).toBe(true)
  expect(FilePath.parse(' e\u0301.pdf ')).toBe('\u00e9.pdf')
})

test('rejects a path that leaves the folder or hides its content', () => {
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

test('the download name is short, on one line, without a folder and with the extension of the actual type', () => {
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
