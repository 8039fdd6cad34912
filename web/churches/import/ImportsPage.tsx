import { ImportsScreen } from '#web/imports/ImportsScreen.tsx'
import { loadImports, uploadImport } from '#web/imports/imports.server.ts'
import { useT } from '#web/lib/i18n.tsx'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/ImportsPage'
import { LOCALE_IMPORTS } from './kind.ts'
import { LOCALE_IMPORT_PAGES } from './pages.server.ts'

export const handle = { ns: ['importChurches', 'imports', 'forms'] } satisfies RouteHandle

export const loader = ({ request, context }: Route.LoaderArgs) => loadImports(LOCALE_IMPORT_PAGES, context, request)
export const action = ({ request, context }: Route.ActionArgs) => uploadImport(LOCALE_IMPORT_PAGES, context, request)

/** Imports of locales, and their export. */
export default function ImportsPage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT('importChurches')
  return (
    <ImportsScreen
      kind={LOCALE_IMPORTS}
      data={loaderData}
      error={actionData?.error}
      end={
        // Downloads, not pages.
        <>
          <a href="/api/locales/export?format=csv" download>
            {t('export_csv')}
          </a>
          <a href="/api/locales/export?format=xlsx" download>
            {t('export_xlsx')}
          </a>
        </>
      }
    />
  )
}
