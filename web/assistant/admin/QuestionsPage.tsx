import { useSearchParams } from 'react-router'
import { ASSISTANT_LANGUAGES } from '#shared/assistant/languages.ts'
import { listQuestions, reviewQuestion } from '#shared/assistant/questions.ts'
import { tableQuery } from '#shared/table.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import type { Route } from './+types/QuestionsPage'
import { ActionErrorNote } from './ActionErrorNote.tsx'
import styles from './Admin.module.css'
import { AssistantTabs } from './AssistantTabs.tsx'
import { ASSISTANT } from './paths.ts'
import { QuestionStats } from './QuestionStats.tsx'
import { useQuestionColumns } from './question-columns.tsx'
import { recordLinks } from './records.ts'

export const handle = { ns: ['assistantAdmin', 'forms'] } satisfies RouteHandle

const KINDS = [undefined, 'unanswered', 'rated_down'] as const

export async function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visitorOf(context)
  const query = tableQuery(listQuestions.query, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, (call) => call(listQuestions, { query }))
  const nameOf = nameIn(language)
  const list = done ?? { questions: [], total: 0, page: 1, per_page: 50, figures: undefined }
  return {
    ...list,
    questions: list.questions.map(({ language, country_code, record_ids, ...question }) => ({
      ...question,
      language,
      language_name: Object.entries(ASSISTANT_LANGUAGES).find(([code]) => code === language)?.[1].native_name,
      country_code,
      country: country_code && nameOf(country_code),
      records: recordLinks(record_ids),
    })),
    hasFailed: error !== undefined,
  }
}

export const action = formAction(async (call, { text, back }) => {
  await call(reviewQuestion, { params: { id: text('review') } })
  return back('reviewed')
})

/** Statistics of the assistant, and the questions it should answer better. */
export default function QuestionsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('assistantAdmin')
  const chosen = useSearchParams()[0].get('kind')
  const { questions, figures } = loaderData
  return (
    <AdminPage title={t('title')}>
      <AssistantTabs current="questions" />
      {actionData ? <ActionErrorNote error={actionData.error} /> : <FlashMessage namespace="assistantAdmin" />}
      {figures && <QuestionStats stats={figures} />}
      <h2 className={styles.listTitle}>{t('questions_title')}</h2>
      <p className={styles.text}>{t('questions_intro')}</p>
      <Tabs
        label={t('filter_kind')}
        tabs={KINDS.map((kind) => ({
          key: kind ?? 'all',
          label: t(`filter_${kind ?? 'all'}`),
          to: kind ? `${ASSISTANT}?kind=${kind}` : ASSISTANT,
          isCurrent: chosen === (kind ?? null),
        }))}
      />
      <AdminTable
        {...loaderData}
        label={t('questions_title')}
        columns={useQuestionColumns()}
        rows={questions}
        rowKey={({ id }) => id}
        filters={['kind']}
        empty={
          <Note heading="h3" title={t('questions_none')}>
            <p>{t('questions_none_text')}</p>
          </Note>
        }
      />
    </AdminPage>
  )
}
