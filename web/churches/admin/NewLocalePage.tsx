import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import type { Route } from './+types/NewLocalePage'
import { localeChoices } from './choices.server.ts'
import { LocaleForm } from './LocaleForm.tsx'

export const handle = { ns: ['manageChurches', 'forms'] } satisfies RouteHandle
export { actOnLocale as action } from './locale.server.ts'

export async function loader({ context }: Route.LoaderArgs) {
  return { choices: await localeChoices(api(context), visitorOf(context).language) }
}

const NOTHING = { locale_status: 'active', is_public: 'on', has_physical_locale: 'on' }

export default function NewLocalePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  return (
    <AdminPage title={t('new_locale')}>
      <LocaleForm intent="create" values={NOTHING} choices={loaderData.choices} actionData={actionData} />
    </AdminPage>
  )
}
