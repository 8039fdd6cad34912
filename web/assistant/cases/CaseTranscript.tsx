import { useFetcher } from 'react-router'
import type { AssistantCase } from '#shared/assistant/cases.ts'
import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Note } from '#web/ui/Note.tsx'
import styles from './Cases.module.css'

/** Result of translating the messages. */
export interface TranslationState {
  translated: { translation: string; warning: string | null } | undefined
  notTranslated: FormError | undefined
}

interface Props {
  found: Pick<AssistantCase, 'original_words' | 'language'>
  canTranslate: boolean
  /** For a page without scripts. */
  actionData: TranslationState | undefined
}

/** The user's original messages, beside a machine translation where available. */
export function CaseTranscript({ found: { original_words, language }, canTranslate, actionData }: Props) {
  const t = useT('cases')
  const reader = useLanguage()
  const fetcher = useFetcher<{
    translated?: TranslationState['translated']
    error?: TranslationState['notTranslated']
  }>()
  const fetched = fetcher.data && { translated: fetcher.data.translated, notTranslated: fetcher.data.error }
  const { translated, notTranslated } = fetched ?? actionData ?? {}
  if (!original_words) return <p className={styles.none}>{t('no_words')}</p>
  const isOffered = canTranslate && language !== reader && (!translated || translated.warning !== null)
  return (
    <div className={classes(styles.sides, translated && styles.both)}>
      <div>
        {translated && <h3 className={styles.side}>{t('original')}</h3>}
        <p className={styles.words} lang={language} dir="auto">
          {original_words}
        </p>
      </div>
      <div role="status">{translated && <Translation {...translated} language={language} />}</div>
      {notTranslated && <Failed error={notTranslated} language={language} />}
      {isOffered && (
        <fetcher.Form method="post" className={styles.translate}>
          <Button
            type="submit"
            name="intent"
            value="translate"
            isBusy={fetcher.state !== 'idle'}
            busyLabel={t('translating')}
          >
            {t('translate')}
          </Button>
          <p className={styles.muted}>{t('translate_hint')}</p>
        </fetcher.Form>
      )}
    </div>
  )
}

const nameOf = (language: AssistantCase['language']) => isolated(ASSISTANT_LANGUAGES[language].native_name)

function Translation({
  translation,
  warning,
  language,
}: NonNullable<TranslationState['translated']> & Pick<AssistantCase, 'language'>) {
  const t = useT('cases')
  const translate = useTranslateMessage()
  const reader = useLanguage()
  return (
    <>
      <h3 className={styles.side}>{t('translation')}</h3>
      <p className={styles.words} lang={reader} dir="auto">
        {translation}
      </p>
      <p className={styles.caution}>
        {warning && <strong>{translate(warning)} </strong>}
        {t('translation_caution', { language: nameOf(language) })}
      </p>
    </>
  )
}

function Failed({ error, language }: { error: FormError; language: AssistantCase['language'] }) {
  const t = useT('cases')
  const translate = useTranslateMessage()
  return (
    <div className={styles.notTranslated}>
      <Note kind="error" isLive title={t('not_translated')}>
        <p>{error.code === 'model_failed' ? t('no_answer', { language: nameOf(language) }) : translate(error.error)}</p>
      </Note>
    </div>
  )
}
