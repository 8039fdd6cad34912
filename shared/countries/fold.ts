// Normalisation and lower-casing leave these distinct, although people type them interchangeably.
const REPLACEMENTS: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʻ: "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  // Arabic: alef with hamza or madda is already bare at this point; these remain.
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  // The same two letters as typed on a Persian or Urdu keyboard.
  ی: 'ي',
  ک: 'ك',
}
const REPLACED = new RegExp(`[${Object.keys(REPLACEMENTS).join('')}]`, 'gu')

// Soft hyphens, direction marks and byte-order marks are copied along with names; tatweel only stretches a word.
const INVISIBLE = /[\u00AD\u061C\u0640\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu

// Only in these scripts is a mark an accent. In Indic scripts it is a vowel, and in Kana it makes another letter.
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}+/gu

// Fast path for most texts: plain ASCII needs only lower-casing.
const PLAIN = /^[ -~]*$/

/** The form in which texts are compared: without case, accents, width or typographic differences, in any script. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/ +/g, ' ').trim()
  return text
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(ACCENTED, '$1')
    .toLowerCase()
    .replace(REPLACED, (letter) => REPLACEMENTS[letter] ?? letter)
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim()
}
