import { Link, useSearchParams } from 'react-router'
import {
  deleteKnowledge,
  deleteKnowledgeOf,
  type KnowledgeSource,
  listKnowledge,
  reindexKnowledge,
} from '#shared/assistant/knowledge.ts'
import { tableQuery } from '#shared/table.ts'
import { formAction } from '#web/lib/form-action.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import { AdminTable } from '#web/ui/AdminTable.tsx'
import { AdminTableFilters } from '#web/ui/AdminTableFilters.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { Note } from '#web/ui/Note.tsx'
import type { Route } from './+types/KnowledgePage'
import { ActionErrorNote } from './ActionErrorNote.tsx'
import styles from './Admin.module.css'
import { AllowedDomains } from './AllowedDomains.tsx'
import { AssistantTabs } from './AssistantTabs.tsx'
import { useKnowledgeColumns } from './knowledge-columns.tsx'
import { KNOWLEDGE } from './paths.ts'
import { RemoveDomain, RemovePage } from './RemoveKnowledge.tsx'

export const handle = { ns: ['assistantAdmin', 'forms'] } satisfies RouteHandle

export async function loader({ context, request }: Route.LoaderArgs) {
  const query = tableQuery(listKnowledge.query, new URL(request.url).searchParams)
  const { done, error } = await attempt(context, (call) => call(listKnowledge, { query }))
  const list = done ?? { sources: [], total: 0, page: 1, per_page: 50, domains: [] }
  return { ...list, hasFailed: error !== undefined }
}

// The button names the action, its value the page or domain.
export const action = formAction(
  {
    reindex: async (call, { text, back }) => {
      const { source, changed } = await call(reindexKnowledge, { params: { id: text('reindex') } })
      return back(source.failure ? 'page_not_read' : changed ? 'page_changed' : 'page_same', ...OPENED)
    },
    delete: async (call, { text, back }) => {
      await call(deleteKnowledge, { params: { id: text('delete') } })
      return back('page_deleted', ...OPENED)
    },
    delete_domain: async (call, { text, back }) => {
      await call(deleteKnowledgeOf, { query: { source_domain: text('delete_domain') } })
      return back('domain_deleted', ...OPENED)
    },
  },
  { byField: true },
)
/** Parameters that open a confirmation. */
const OPENED = ['action', 'row', 'source']

/** Pages that the assistant may quote. */
export default function KnowledgePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('assistantAdmin')
  const { sources, domains, hasFailed } = loaderData
  return (
    <AdminPage
      title={t('title')}
      end={
        <ButtonLink look="primary" to={`${KNOWLEDGE}/new`}>
          {t('new_page')}
        </ButtonLink>
      }
    >
      <AssistantTabs current="knowledge" />
      {actionData ? (
        <ActionErrorNote error={actionData.error} />
      ) : (
        <FlashMessage namespace="assistantAdmin" kinds={{ page_not_read: 'error' }} />
      )}
      <p className={styles.text}>{t('knowledge_intro')}</p>
      {!hasFailed && <AllowedDomains domains={domains} />}
      <Removal sources={sources} />
      <AdminTableFilters searchLabel={t('knowledge_search')} />
      <AdminTable
        {...loaderData}
        label={t('tab_knowledge')}
        columns={useKnowledgeColumns()}
        rows={sources}
        rowKey={({ id }) => id}
        empty={
          <Note
            heading="h2"
            kind="unknown"
            title={t('knowledge_none')}
            action={<Link to={`${KNOWLEDGE}/new`}>{t('new_page')}</Link>}
          >
            <p>{t('knowledge_none_text')}</p>
          </Note>
        }
      />
    </AdminPage>
  )
}

/** Confirms the deletion named in the URL. */
function Removal({ sources }: { sources: KnowledgeSource[] }) {
  const [params] = useSearchParams()
  const actionParam = params.get('action')
  const source = sources.find(({ id }) => id === params.get('row'))
  const domain = params.get('source')
  if (actionParam === 'delete' && source) return <RemovePage source={source} />
  if (actionParam === 'delete_domain' && domain) return <RemoveDomain domain={domain} />
  return null
}
