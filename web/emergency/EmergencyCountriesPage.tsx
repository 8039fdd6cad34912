import { redirect } from 'react-router'
import { GENERAL_NUMBER } from '#shared/emergency/address.ts'
import { translator, useT } from '#web/lib/i18n.tsx'
import { visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import type { Route } from './+types/EmergencyCountriesPage'
import { GeneralCall } from './CallRow.tsx'
import { CountryNumbers, SearchForm } from './ChooseCountry.tsx'
import styles from './Emergency.module.css'
import { EmergencyFrame } from './EmergencyFrame.tsx'
import { CachedCopyNote, OfflineAccessNote } from './Foot.tsx'
import { findNumbers } from './numbers.server.ts'

export const handle = { ns: ['emergency', 'forms'], plain: true } satisfies RouteHandle

// Results found without a database must not be cached for long.
export const headers = () => ({ 'valid-for': '60' })

export async function loader({ context, request }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams.get('search')?.trim().slice(0, 100) ?? ''
  const { all, found, exact } = await findNumbers(context, search)
  if (exact) throw redirect(`/emergency/${exact}`)
  const { language, now } = visitorOf(context)
  const t = translator(language, 'emergency')
  return { title: t('all_title'), description: t('description'), all, found, search, made_on: now.toISOString() }
}

/** Every country with its number as a `tel:` link, and a search that works without scripts. */
export default function EmergencyCountriesPage({ loaderData: { all, found, search, made_on } }: Route.ComponentProps) {
  const t = useT('emergency')
  return (
    <EmergencyFrame country={null} name={null} detectsZone={false}>
      <GeneralCall phone={GENERAL_NUMBER} />
      <CachedCopyNote madeOn={made_on} />
      <SearchForm search={search} />
      {found && found.length > 0 && (
        <section aria-labelledby="found">
          <h2 id="found">{t('found_title')}</h2>
          <CountryNumbers rows={found} />
        </section>
      )}
      {found?.length === 0 && (
        <p role="status" className={styles.notFound}>
          <b>{t('found_none')}</b> {t('found_none_text')}
        </p>
      )}
      <section aria-labelledby="all">
        <h2 id="all">{t('all_title')}</h2>
        <CountryNumbers rows={all} />
      </section>
      <OfflineAccessNote />
    </EmergencyFrame>
  )
}
