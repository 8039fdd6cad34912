import { getSite } from '#shared/settings/endpoints.ts'
import { useT } from '../lib/i18n.tsx'
import { api, visitorOf } from '../lib/visitor.ts'
import type { RouteHandle } from '../root.tsx'
import type { Route } from './+types/SupportPage'
import { LegalPage } from './LegalPage.tsx'
import { legalText } from './legal.server.ts'

export const handle = { ns: ['content'], plain: true } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  return { text: legalText('support', visitorOf(context).language, await api(context)(getSite)) }
}

export default function SupportPage({ loaderData }: Route.ComponentProps) {
  const t = useT('content')
  return <LegalPage title={t('support_title')} subtitle={t('support_subtitle')} text={loaderData.text} />
}
