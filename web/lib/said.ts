import type { Translate } from './i18n.tsx'

/**
 * What the server said, in the reader's language: the English sentence is the key in `forms`, its numbers are filled in.
 * A sentence without a translation stays as it is.
 */
export function said(t: Translate<'forms'>, sentence: string): string {
  const known = t(sentence as never)
  if (known !== sentence) return known
  const [n] = /\d+/.exec(sentence) ?? []
  if (n === undefined) return sentence
  const pattern = sentence.replace(n, '{{n}}')
  const text = t(pattern as never, { n })
  return text === pattern ? sentence : text
}
