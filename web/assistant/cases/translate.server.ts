import { readCase } from '#shared/assistant/cases.ts'
import { translateText } from '#shared/assistant/translation.ts'
import type { Submission } from '#web/lib/form-action.server.ts'
import { type CallEndpoint, visitorOf } from '#web/lib/visitor.ts'

export type Translated = (typeof translateText)['~']['output']

/**
 * Translates the messages of a case into the language of the page. Uses the stored text, whatever the form contains.
 */
export async function translateCase(
  call: CallEndpoint,
  { context, id }: Submission,
): Promise<{ translated: Translated }> {
  const { original_words: text, language: source_language } = (await call(readCase, { params: { id } })).case
  const body = { text, source_language, target_language: visitorOf(context).language }
  return { translated: await call(translateText, { body }) }
}
