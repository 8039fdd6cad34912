import { Form } from 'react-router'
import { QUOTED_FROM, searchKnowledge } from '#shared/assistant/knowledge.ts'
import { ASSISTANT_LANGUAGE_CODES } from '#shared/assistant/languages.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { Button } from '#web/ui/Button.tsx'
import { SelectField, TextField } from '#web/ui/Field.tsx'
import { LanguageOptions } from '../LanguageOptions.tsx'
import type { Route } from './+types/KnowledgeSearchPage'
import { ActionErrorNote } from './ActionErrorNote.tsx'
import styles from './Admin.module.css'
import { AssistantTabs } from './AssistantTabs.tsx'
import { FoundPieces } from './FoundPieces.tsx'

export const handle = { ns: ['assistantAdmin', 'forms'] } satisfies RouteHandle

/** More than an answer quotes, including chunks below the threshold, to show near misses. */
const SHOWN = 20

export async function loader({ context, request }: Route.LoaderArgs) {
  const searchParams = new URL(request.url).searchParams
  const query = searchParams.get('search')?.trim().slice(0, 2000) ?? ''
  const language = ASSISTANT_LANGUAGE_CODES.find((code) => code === searchParams.get('language')) ?? ''
  const body = { query, top_k: SHOWN, min_similarity: 0, ...(language ? { language } : {}) }
  const { done, error } = query
    ? await attempt(context, (call) => call(searchKnowledge, { body }))
    : { done: undefined, error: undefined }
  return {
    query,
    language,
    pieces: done?.chunks.map((piece) => ({ ...piece, isQuoted: piece.similarity >= QUOTED_FROM })),
    error,
  }
}

/** What the assistant's knowledge search returns for a question. */
export default function KnowledgeSearchPage({ loaderData }: Route.ComponentProps) {
  const t = useT('assistantAdmin')
  const { query, language, pieces, error } = loaderData
  return (
    <AdminPage title={t('title')}>
      <AssistantTabs current="search" />
      <p className={styles.text}>{t('search_intro')}</p>
      <search aria-label={t('tab_search')}>
        <Form className={styles.searching} preventScrollReset>
          <TextField
            label={t('search_question')}
            className={styles.wide}
            type="search"
            name="search"
            dir="auto"
            maxLength={2000}
            autoComplete="off"
            defaultValue={query}
          />
          <SelectField label={t('search_language')} name="language" defaultValue={language}>
            <option value="">{t('search_any_language')}</option>
            <LanguageOptions />
          </SelectField>
          <Button type="submit" look="primary" icon="search">
            {t('search_submit')}
          </Button>
        </Form>
      </search>
      <ActionErrorNote error={error} />
      {pieces && <FoundPieces pieces={pieces} />}
    </AdminPage>
  )
}
