import type { LocaleImportDetail } from '#shared/churches/imports.ts'
import { allNames } from '#web/advisories/reader.server.ts'
import { ImportScreen } from '#web/imports/ImportScreen.tsx'
import { actOnImport, loadImport } from '#web/imports/imports.server.ts'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/ImportPage'
import { LOCALE_IMPORTS } from './kind.ts'
import { LocaleSettings } from './LocaleSettings.tsx'
import { LocaleSummary } from './LocaleSummary.tsx'
import { LOCALE_IMPORT_PAGES } from './pages.server.ts'

export const handle = { ns: ['importChurches', 'imports', 'forms'] } satisfies RouteHandle

export async function loader({ request, context, params: { id } }: Route.LoaderArgs) {
  const data = await loadImport(LOCALE_IMPORT_PAGES, context, request, id)
  return { ...data, countries: allNames(visitorOf(context).language) }
}

export const action = ({ request, context, params: { id } }: Route.ActionArgs) =>
  actOnImport(LOCALE_IMPORT_PAGES, context, request, id)

/** One file of locales. */
export default function ImportPage({ loaderData, actionData }: Route.ComponentProps) {
  const detail = loaderData.detail as LocaleImportDetail
  return (
    <ImportScreen
      kind={LOCALE_IMPORTS}
      data={loaderData}
      actionData={actionData}
      settings={(form) => <LocaleSettings {...form} detail={detail} countries={loaderData.countries} />}
      summary={<LocaleSummary detail={detail} actionData={actionData} />}
    />
  )
}
