import { type Translate, useT } from './i18n.tsx'

/**
 * Translates a server message: the English sentence is the key in `forms`, its numbers are filled in. Several sentences
 * not known as a whole are translated one by one; one without a translation is left as it is.
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

/** Translates a form error; undefined without an error. */
export function useTranslateMessage() {
  const t = useT('forms')
  return (text: string | undefined) => (text ? translateMessage(t, text) : undefined)
}
