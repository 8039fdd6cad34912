import { getSite } from '#shared/settings/endpoints.ts'
import { CallStrip } from '#web/emergency/CallStrip.tsx'
import { likelyCall } from '#web/emergency/place.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/SupportPage'
import { LegalPage } from './LegalPage.tsx'
import { legalText } from './legal.server.ts'

export const handle = { ns: ['content'], plain: true } satisfies RouteHandle

export async function loader({ context }: Route.LoaderArgs) {
  const [site, call] = await Promise.all([api(context)(getSite), likelyCall(context)])
  return { text: legalText('support', visitorOf(context).language, site), call }
}

export default function SupportPage({ loaderData }: Route.ComponentProps) {
  const t = useT('content')
  return (
    <LegalPage title={t('support_title')} subtitle={t('support_subtitle')} text={loaderData.text}>
      <CallStrip call={loaderData.call} />
    </LegalPage>
  )
}
