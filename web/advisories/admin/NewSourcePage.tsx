import { useT } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage, BackLink } from '#web/ui/AdminPage.tsx'
import type { Route } from './+types/NewSourcePage'
import { MANAGE } from './paths.ts'
import { SourceForm } from './SourceForm.tsx'
import { countriesFor } from './source-form.server.ts'
import { NEW_SOURCE } from './source-values.ts'

export { actOnSource as action } from './source-form.server.ts'

export const handle = { ns: ['manage', 'advisory', 'forms'] } satisfies RouteHandle
export { whenChanged as shouldRevalidate } from './revalidation.ts'

export const loader = ({ context }: Route.LoaderArgs) => ({ countries: countriesFor(visitorOf(context).language) })

export default function NewSourcePage({ loaderData: { countries }, actionData }: Route.ComponentProps) {
  const t = useT('manage')
  return (
    <AdminPage title={t('source_new')}>
      <BackLink to={`${MANAGE}/sources`}>{t('back_to_sources')}</BackLink>
      <SourceForm values={NEW_SOURCE} answer={actionData} countries={countries} back={`${MANAGE}/sources`} />
    </AdminPage>
  )
}
