import { Link } from 'react-router'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import type { Locator } from './locator.server.ts'
import { OtherPlaces } from './OtherPlaces.tsx'
import styles from './Results.module.css'
import { addressOf, hasFilters, LOCATOR_PATH, NO_SEARCH } from './search.ts'

/** Notes to read before the list. */
export function ResultNotes({ data }: { data: Locator }) {
  const t = useT('churches')
  const { place } = data
  return (
    <div className={styles.notes}>
      {data.hasFailed && <Failed data={data} />}
      {place && !data.isNearest && data.places.length > 0 && (
        <p className={styles.place}>
          {t('place_is', { place: place.text })}
          <OtherPlaces data={data} />
        </p>
      )}
      {data.isNearest && <NoneNear data={data} />}
    </div>
  )
}

function Failed({ data }: { data: Locator }) {
  const t = useT('churches')
  return (
    <Note
      kind="error"
      title={t('failed')}
      isLive
      action={
        <ButtonLink to={addressOf(data.search, { page: data.search.page })} reloadDocument isSmall icon="refresh">
          {t('try_again')}
        </ButtonLink>
      }
    >
      <p>{data.rows.length > 0 ? t('failed_old') : t('failed_text')}</p>
    </Note>
  )
}

function NoneNear({ data }: { data: Locator }) {
  const t = useT('churches')
  const language = useLanguage()
  const { search, place, rows } = data
  const km = search.radius
  return (
    <Note
      title={place ? t('none_near', { km, place: place.name }) : t('none_near_me', { km })}
      action={
        <>
          <ButtonLink to="/support" look="primary" isSmall>
            {t('ask_coordinator')}
          </ButtonLink>
          <ButtonLink to={addressOf(NO_SEARCH, { online: true })} isSmall>
            {t('online_services')}
          </ButtonLink>
        </>
      }
    >
      <p>
        {t('none_near_text', { count: rows.length, number: formatNumber(language, rows.length) })}
        {place && <OtherPlaces data={data} />}
      </p>
    </Note>
  )
}

/** Suggestions for an empty list (LOC-UI-08). */
export function NothingFound({ data }: { data: Locator }) {
  const t = useT('churches')
  if (!hasFilters(data.search)) return <Note kind="unknown" title={t('none_at_all')} />
  // With a further filter a match of that name may exist elsewhere.
  const isOnlyNamed = addressOf(data.search, { search: '', near: '', point: null }) === addressOf(NO_SEARCH)
  return (
    <Surface>
      <p className={styles.none}>{t(isOnlyNamed ? 'none_named' : 'none_found')}</p>
      <Guesses data={data} />
      <ul>
        <li>{t('none_found_near')}</li>
        <li>{t('none_found_terms')}</li>
        <li>
          {t('none_found_ask')} <Link to="/support">{t('ask_coordinator')}</Link>
        </li>
      </ul>
      <ButtonLink to={LOCATOR_PATH}>{t('clear_all')}</ButtonLink>
    </Surface>
  )
}

/** Similar names, asked about one by one. */
function Guesses({ data: { guesses } }: { data: Locator }) {
  const t = useT('churches')
  return guesses.map(({ text, to }) => (
    <p key={text}>
      {t('did_you_mean')}{' '}
      <Link to={to}>
        <bdi>{text}</bdi>
      </Link>
      {t('question_mark')}
    </p>
  ))
}
