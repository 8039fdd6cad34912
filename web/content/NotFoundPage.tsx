import { data } from 'react-router'
import { translator } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Page } from '#web/ui/Page.tsx'
import type { Route } from './+types/NotFoundPage'
import { NotFound } from './NotFound.tsx'

export const handle = { ns: ['content', 'search'] } satisfies RouteHandle

export function loader({ context }: Route.LoaderArgs) {
  return data({ title: translator(visitorOf(context).language, 'content')('not_found_title') }, { status: 404 })
}

export default function NotFoundPage() {
  return (
    <Page>
      <NotFound />
    </Page>
  )
}
