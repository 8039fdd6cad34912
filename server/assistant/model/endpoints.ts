import type { Router } from '#server/http/router.ts'
import type { Log } from '#server/log.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import { translateText } from '#shared/assistant/translation.ts'
import { AppError } from '#shared/errors.ts'
import { within } from '../deadline.ts'
import type { ModelBudget } from './model-budget.ts'
import { piecesOf, supportedPair, type Translate } from './translation.ts'

/** Maximum time for a translation. */
const TRANSLATION_MS = 30_000

interface TranslationDeps {
  translate: Translate | undefined
  settings: SettingsModel
}

/** Whether a model for translation is configured and enabled. */
export const canTranslate = ({ translate, settings }: TranslationDeps): boolean =>
  translate !== undefined && settings.get('assistant.model_enabled')

/** Model features for users who handle cases. */
export function registerTranslation(router: Router, deps: TranslationDeps & { spending: ModelBudget; log: Log }) {
  const { translate, spending, log } = deps

  router.act(translateText, async ({ user }, { body }) => {
    const { text, source_language, target_language } = body
    supportedPair(source_language, target_language)
    if (!translate || !canTranslate(deps)) throw new AppError(503, 'no_model', 'Translation is not set up here.')
    // Each chunk is a call, and all of them must be within the limit.
    for (const _ of piecesOf(text))
      if (!(await spending.take(user.id)))
        throw new AppError(429, 'model_spent', 'The translation limit for today is reached. Please try again tomorrow.')
    try {
      return await within(TRANSLATION_MS, AbortSignal.timeout(TRANSLATION_MS), (signal) =>
        translate({ text, from: source_language, to: target_language, signal }),
      )
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'nothing was translated')
      throw new AppError(502, 'model_failed', 'Failed to get AI response')
    }
  })
}
