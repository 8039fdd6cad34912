import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold } from './fold.ts'

describe('fold', () => {
  test.each([
    ['São Tomé and Príncipe', 'sao tome and principe'],
    ['TÜRKİYE', 'turkiye'],
    ['Straße', 'strasse'],
    ['GROẞ', 'gross'],
    ['Łódź', 'lodz'],
    ['Færøerne', 'faeroerne'],
    ['Þórshöfn', 'thorshofn'],
    ['ıĞdır', 'igdir'],
    ['Ħal Għaxaq', 'hal ghaxaq'],
    ['Việt Nam', 'viet nam'],
    ['Côte d’Ivoire', "cote d'ivoire"],
    ['O‘zbekiston', "o'zbekiston"],
    ['ΕΛΛΆΣ', 'ελλασ'],
    ['Україна', 'украіна'],
    ['Кыргызстан', 'кыргызстан'],
    ['Ｊａｐａｎ', 'japan'],
    ['ﬁji', 'fiji'],
    ['  New \u202f Zealand\t', 'new zealand'],
    ['Co\u00adlombia\u200f', 'colombia'],
  ])('%s becomes %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  test.each([
    ['أستراليا', 'استراليا', 'hamza'],
    ['آيسلندا', 'ايسلندا', 'madda'],
    ['عُمان', 'عمان', 'vowel mark'],
    ['سنغافورة', 'سنغافوره', 'teh marbuta'],
    ['كوريا', 'كوريــا', 'tatweel'],
    ['موسى', 'موسي', 'alef maqsura'],
    ['ایران', 'إيران', 'Persian yeh'],
  ])('%s and %s are the same Arabic word (%s)', (spelling, other) => {
    expect(fold(spelling)).toBe(fold(other))
  })

  test.each(['भारत', 'বাংলাদেশ', 'ประเทศไทย', 'ශ්‍රී ලංකාව', 'ニッポン', '대한민국', 'ދިވެހިރާއްޖެ'])(
    '%s keeps its vowel marks',
    (text) => {
      expect(fold(text)).toBe(text.normalize('NFC'))
    },
  )

  test('folding is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('canonically equivalent texts fold alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(fold(text.normalize('NFD'))).toBe(fold(text))
      }),
    )
  })

  test('ignores leading, trailing and repeated spaces', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-zé]+$/), { minLength: 1 }), (words) => {
        expect(fold(`  ${words.join(' \u00a0\n')} `)).toBe(fold(words.join(' ')))
      }),
    )
  })

  test('ignores case in scripts that have it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{Script=Latin}\p{Script=Cyrillic} ]{0,20}$/u), (text) => {
        expect(fold(text.toLowerCase())).toBe(fold(text))
      }),
    )
  })
})
