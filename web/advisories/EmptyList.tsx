import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { useSite } from '#web/lib/root-data.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import { ADVISORIES_PATH, addressOf, NO_FILTERS } from './filters.ts'
import type { AdvisoryListing } from './list.server.ts'
import styles from './TravelAdvisoriesPage.module.css'
import type { RefreshState } from './useRefresh.ts'

interface Props {
  state: 'empty' | 'no_match'
  data: AdvisoryListing
  refreshing: RefreshState
}

/** An empty list is never good news: nothing is known, or the filters are too narrow. */
export function EmptyList({ state, data, refreshing }: Props) {
  const t = useT('advisories')
  const officialPages = useSite()?.all_advisories_url
  if (state === 'empty')
    return (
      <Note
        kind="unknown"
        heading="h2"
        title={t(data.hasReadSources ? 'empty_title' : 'nothing_read')}
        action={
          <>
            <Actions refreshing={refreshing} />
            {officialPages && (
              <ButtonLink to={officialPages} icon="external" target="_blank" rel="noopener">
                {t('official_pages')}
              </ButtonLink>
            )}
          </>
        }
      >
        <p>{t(data.hasReadSources ? 'empty_text' : 'nothing_read_text')}</p>
      </Note>
    )
  return (
    <Surface>
      <h2 className={styles.emptyTitle}>{t('no_match_title')}</h2>
      <p>
        {t('no_match_text', { filters: describe(data, t) })} <Suggestions suggestions={data.suggestions} />
      </p>
      <p className={styles.subtitle}>{t('not_safe_note')}</p>
      <div className={styles.actions}>
        <Actions refreshing={refreshing} isPrimary />
      </div>
    </Surface>
  )
}

function Actions({ refreshing, isPrimary = false }: { refreshing: RefreshState; isPrimary?: boolean }) {
  const t = useT('advisories')
  return (
    <>
      <ButtonLink to={ADVISORIES_PATH} look={isPrimary ? 'primary' : 'secondary'} preventScrollReset>
        {t('clear_all')}
      </ButtonLink>
      <Button
        className="needs-script"
        icon="refresh"
        isBusy={refreshing.isBusy}
        busyLabel={t('refreshing')}
        onClick={refreshing.refresh}
      >
        {t('refresh_advisories')}
      </Button>
    </>
  )
}

function Suggestions({ suggestions }: Pick<AdvisoryListing, 'suggestions'>) {
  const t = useT('advisories')
  const [first] = suggestions
  if (!first) return null
  // An exact match without an advisory: the country page shows what is known about it.
  if (first.hasNone) return <Link to={`/countries/${first.code}`}>{t('see_country', { name: first.name })}</Link>
  return (
    <>
      {t('did_you_mean')}{' '}
      {suggestions.map(({ code, name }, i) => (
        <span key={code}>
          {i > 0 && ` ${t('or')} `}
          <Link to={addressOf(NO_FILTERS, { search: name })}>{name}</Link>
        </span>
      ))}
      {t('question_mark')}
    </>
  )
}

function describe({ filters, sources, country }: AdvisoryListing, t: ReturnType<typeof useT<'advisories'>>): string {
  return [
    filters.search && t('chip_search', { text: filters.search }),
    filters.severities.length > 0 &&
      t('no_match_level', { name: filters.severities.map((severity) => t(`level_${severity}`)).join(' + ') }),
    filters.mine && t('mine'),
    filters.country && country,
    filters.source && (sources.find(({ id }) => id === filters.source)?.name ?? filters.source),
  ]
    .filter(Boolean)
    .join(` ${t('and')} `)
}
