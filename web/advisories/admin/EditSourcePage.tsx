import { getManagedSource } from '#shared/advisories/admin-sources.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import type { Route } from './+types/EditSourcePage'
import { sourcePath } from './paths.ts'
import { SourceForm } from './SourceForm.tsx'
import { countriesFor } from './source-form.server.ts'
import { valuesOf } from './source-values.ts'

export { actOnSource as action } from './source-form.server.ts'

export const handle = { ns: ['manage', 'advisory', 'forms'] } satisfies RouteHandle
export { whenChanged as shouldRevalidate } from './revalidation.ts'

export async function loader({ context, params }: Route.LoaderArgs) {
  const { source } = await api(context)(getManagedSource, { params: { source: params.source } })
  return { source, countries: countriesFor(visitorOf(context).language) }
}

export default function EditSourcePage({ loaderData: { source, countries }, actionData }: Route.ComponentProps) {
  const t = useT('manage')
  const back = sourcePath(source.id)
  return (
    <AdminPage title={t('source_edit_title', { name: source.name })}>
      <BackLink to={back}>{t('source_back')}</BackLink>
      <SourceForm
        values={valuesOf(source)}
        answer={actionData}
        countries={countries}
        back={back}
        definition={source.definition}
      />
    </AdminPage>
  )
}
