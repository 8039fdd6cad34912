import { type Translate, useT } from './i18n.tsx'

/**
 * What the server said, in the reader's language: the English sentence is the key in `forms`, its numbers are filled in.
 * Several sentences that are not known together are said one by one; one without a translation stays as it is.
 */
export function translateMessage(t: Translate<'forms'>, text: string): string {
  const sentences = text.split(/(?<=[.!?])\s+/)
  return known(t, text) ?? sentences.map((sentence) => known(t, sentence) ?? sentence).join(' ')
}

function known(t: Translate<'forms'>, sentence: string): string | undefined {
  const text = t(sentence as never)
  if (text !== sentence) return text
  const [n] = /\d+/.exec(sentence) ?? []
  if (n === undefined) return undefined
  const filled = t(sentence.replace(n, '{{n}}') as never, { n })
  return filled === sentence ? undefined : filled
}

/** Says what went wrong with a form, and nothing where nothing did. */
export function useTranslateMessage() {
  const t = useT('forms')
  return (text: string | undefined) => (text ? translateMessage(t, text) : undefined)
}
