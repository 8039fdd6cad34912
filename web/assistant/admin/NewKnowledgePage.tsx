import { listKnowledge } from '#shared/assistant/knowledge.ts'
import { useT } from '#web/lib/i18n.tsx'
import { attempt } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, AdminPanel, BackLink } from '#web/ui/AdminPage.tsx'
import type { Route } from './+types/NewKnowledgePage'
import styles from './Admin.module.css'
import { AllowedDomains } from './AllowedDomains.tsx'
import { KnowledgeForm } from './KnowledgeForm.tsx'
import { KNOWLEDGE } from './paths.ts'

export const handle = { ns: ['assistantAdmin', 'forms'] } satisfies RouteHandle
export { addPage as action } from './knowledge.server.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { done } = await attempt(context, (call) => call(listKnowledge, { query: {} }))
  return { domains: done?.domains }
}

/** A new page the assistant may quote: fetched from its URL, or supplied as text. */
export default function NewKnowledgePage({ loaderData: { domains }, actionData }: Route.ComponentProps) {
  const t = useT('assistantAdmin')
  return (
    <AdminPage title={t('new_page')}>
      <BackLink to={KNOWLEDGE}>{t('back_to_knowledge')}</BackLink>
      {domains && <AllowedDomains domains={domains} />}
      <AdminPanel id="page" title={t('section_page')}>
        <div className={styles.inPanel}>
          <KnowledgeForm values={actionData?.values} error={actionData?.error} />
        </div>
      </AdminPanel>
    </AdminPage>
  )
}
