import { getSite } from '#shared/settings/endpoints.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/PrivacyPolicyPage'
import { LegalPage } from './LegalPage.tsx'
import { legalText } from './legal.server.ts'

export const handle = { ns: ['content'], plain: true } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  return { text: legalText('privacy', visitorOf(context).language, await api(context)(getSite)) }
}

export default function PrivacyPolicyPage({ loaderData }: Route.ComponentProps) {
  const t = useT('content')
  return <LegalPage title={t('privacy_title')} text={loaderData.text} />
}
