import { listChapterChoices } from '#shared/churches/chapters.ts'
import { useT } from '#web/lib/i18n.tsx'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { AdminPage } from '#web/ui/AdminPage.tsx'
import type { Route } from './+types/NewChapterPage'
import { ChapterForm } from './ChapterForm.tsx'
import { countriesIn } from './choices.server.ts'

export const handle = { ns: ['manageChurches', 'forms'] } satisfies RouteHandle
export { actOnChapter as action } from './chapter.server.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { coordinators } = await api(context)(listChapterChoices)
  return { coordinators, countries: countriesIn(visitorOf(context).language) }
}

const NOTHING = { chapter_status: 'active', compliance_status: 'compliant' }

export default function NewChapterPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('manageChurches')
  return (
    <AdminPage title={t('new_chapter')}>
      <ChapterForm intent="create" values={NOTHING} {...loaderData} actionData={actionData} />
    </AdminPage>
  )
}
