import { type Parameters, useT } from './i18n.tsx'

/** `t` of any namespace that has the messages: their sentences are no keys that the types know. */
type TranslateMessages<K extends string> = (key: K, parameters?: Parameters) => string

/**
 * Translates a server message: the English sentence is the key in `forms`, its numbers are filled in. Several sentences
 * not known as a whole are translated one by one; one without a translation is left as it is.
 */
export function translateMessage<K extends string>(t: TranslateMessages<K>, text: string): string {
  const sentences = text.split(/(?<=[.!?])\s+/)
  return known(t, text) ?? sentences.map((sentence) => known(t, sentence) ?? sentence).join(' ')
}

function known<K extends string>(t: TranslateMessages<K>, sentence: string): string | undefined {
  const text = t(sentence as K)
  if (text !== sentence) return text
  const [n] = /\d+/.exec(sentence) ?? []
  if (n === undefined) return undefined
  const filled = t(sentence.replace(n, '{{n}}') as K, { n })
  return filled === sentence ? undefined : filled
}

/** Translates a form error; undefined without an error. */
export function useTranslateMessage() {
  const t = useT('forms')
  return (text: string | undefined) => (text ? translateMessage(t, text) : undefined)
}
