import type { RouterContextProvider } from 'react-router'
import { data } from 'react-router'
import { readCase } from '#shared/assistant/cases.ts'
import { translateText } from '#shared/assistant/translation.ts'
import { attempt, visitorOf } from '#web/lib/visitor.ts'

/**
 * Translates the messages of a case into the language of the page. Uses the stored text, whatever the form contains.
 */
export async function translateCase(context: Readonly<Pick<RouterContextProvider, 'get'>>, id: string) {
  const { language } = visitorOf(context)
  const { done, error } = await attempt(context, async (call) => {
    const { original_words, language: source_language } = (await call(readCase, { params: { id } })).case
    return call(translateText, { body: { text: original_words, source_language, target_language: language } })
  })
  return data({ translating: { translated: done, notTranslated: error } }, { status: error?.status ?? 200 })
}
