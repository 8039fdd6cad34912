import { useSearchParams } from 'react-router'
import { readFact } from '#shared/assistant/facts.ts'
import { nameIn } from '#web/advisories/reader.server.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { isStale } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { DeleteConfirmation } from '#web/ui/DeleteConfirmation.tsx'
import { FlashMessage } from '#web/ui/FlashMessage.tsx'
import { StaleNotice } from '#web/ui/StaleNotice.tsx'
import type { Route } from './+types/FactPage'
import styles from './Admin.module.css'
import { ConfirmButton } from './ConfirmButton.tsx'
import { FactForm } from './FactForm.tsx'
import { FactFreshness } from './FactFreshness.tsx'
import { useFactName } from './FactValue.tsx'
import { freshnessOf, valuesOf } from './fact-values.ts'
import { FACTS } from './paths.ts'

export const handle = { ns: ['assistantAdmin', 'forms'] } satisfies RouteHandle
export { revalidateAfterConflict as shouldRevalidate } from '#web/lib/form-result.ts'
export { actOnFact as action } from './fact.server.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const { fact } = await api(context)(readFact, { params: { id: params.id } })
  return {
    fact,
    freshness: freshnessOf(fact, now),
    country: fact.country_code && nameIn(language)(fact.country_code),
    countries: countriesIn(language),
  }
}

/** One fact: confirm, edit or delete. */
export default function FactPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('assistantAdmin')
  const nameOf = useFactName()
  const [params] = useSearchParams()
  const { fact, freshness, country, countries } = loaderData
  const hasConflict = isStale(actionData)
  const isRemoving = params.get('action') === 'delete'
  return (
    <AdminPage
      title={
        <>
          {nameOf(fact)}
          {fact.kind !== 'rule' && ` · ${country ?? t('everywhere')}`}
        </>
      }
      end={<ConfirmButton id={fact.id} name={nameOf(fact)} />}
    >
      <BackLink to={FACTS}>{t('back_to_facts')}</BackLink>
      {!actionData && <FlashMessage namespace="assistantAdmin" />}
      {hasConflict && <StaleNotice to="?" />}
      {isRemoving && <DeleteConfirmation title={t('delete_fact_title')} text={t('delete_fact_text')} cancelTo="?" />}
      <p className={styles.facts}>
        <FactFreshness {...fact} freshness={freshness} />
        <a href={fact.source_url} target="_blank" rel="noopener">
          {t('open_source')}
        </a>
      </p>
      <FactForm
        values={actionData?.values.kind ? actionData.values : valuesOf(fact)}
        countries={countries}
        error={actionData?.error}
        updatedAt={fact.updated_at}
      />
      {!isRemoving && (
        <p>
          <ButtonLink look="link" to="?action=delete">
            {t('delete_fact')}
          </ButtonLink>
        </p>
      )}
    </AdminPage>
  )
}
