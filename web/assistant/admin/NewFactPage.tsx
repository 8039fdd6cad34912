import { Link, useSearchParams } from 'react-router'
import { FACT_KINDS } from '#shared/assistant/facts.ts'
import { countriesIn } from '#web/churches/admin/choices.server.ts'
import { isStale } from '#web/lib/form-result.ts'
import { useT } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import { Board, BoardRow } from '#web/ui/Board.tsx'
import { Note } from '#web/ui/Note.tsx'
import { addressWith } from '#web/ui/table-address.ts'
import type { Route } from './+types/NewFactPage'
import styles from './Admin.module.css'
import { FactForm } from './FactForm.tsx'
import { kindOf, newFactId, newValues } from './fact-values.ts'
import { FACTS, factPath } from './paths.ts'

export const handle = { ns: ['assistantAdmin', 'forms'] } satisfies RouteHandle
export { actOnFact as action } from './fact.server.ts'

export function loader({ context, request }: Route.LoaderArgs) {
  const { language, now } = visitorOf(context)
  const searchParams = new URL(request.url).searchParams
  const kind = kindOf(searchParams.get('kind'))
  const countries = countriesIn(language)
  const country = countries.find(({ code }) => code === searchParams.get('country'))?.code ?? ''
  return {
    countries,
    values: kind && { ...newValues(kind, country, now), own: crypto.randomUUID().slice(0, 8) },
  }
}

/** First the kind of fact, which decides the fields; then the fact. */
export default function NewFactPage({ loaderData: { countries, values }, actionData }: Route.ComponentProps) {
  const t = useT('assistantAdmin')
  const submittedValues = actionData?.values
  return (
    <AdminPage title={t('new_fact')}>
      <BackLink to={FACTS}>{t('back_to_facts')}</BackLink>
      {isStale(actionData) && submittedValues && <Exists id={newFactId(submittedValues)} />}
      {values ? (
        <FactForm values={submittedValues ?? values} countries={countries} error={actionData?.error} />
      ) : (
        <Kinds />
      )}
    </AdminPage>
  )
}

/** The form was submitted twice, or reopened after saving. */
function Exists({ id }: { id: string }) {
  const t = useT('assistantAdmin')
  return (
    <div className={styles.done}>
      <Note isLive title={t('exists_title')} action={<Link to={factPath(id)}>{t('exists_open')}</Link>} />
    </div>
  )
}

function Kinds() {
  const t = useT('assistantAdmin')
  const [params] = useSearchParams()
  return (
    <Board label={t('choose_kind')}>
      {FACT_KINDS.toReversed().map((kind) => (
        <BoardRow key={kind} title={<Link to={addressWith(params, { kind })}>{t(`kind_${kind}`)}</Link>}>
          {t(`kind_${kind}_text`)}
        </BoardRow>
      ))}
    </Board>
  )
}
