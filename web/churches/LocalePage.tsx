import { data, Link } from 'react-router'
import { getSite } from '#shared/settings/endpoints.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { api, visitorOf } from '#web/lib/visitor.ts'
import type { RouteHandle } from '#web/root.tsx'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Note } from '#web/ui/Note.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SmartImage } from '#web/ui/SmartImage.tsx'
import { Surface } from '#web/ui/Surface.tsx'
import type { Route } from './+types/LocalePage'
import { AboutLocale, LocaleContacts } from './AboutLocale.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './LocalePage.module.css'
import { localePage } from './locale.server.ts'
import { NextService, useOwnZone } from './NextService.tsx'
import { PrintCard } from './PrintCard.tsx'
import { profileZone } from './profile.server.ts'
import { Services } from './Services.tsx'
import { ShareButton } from './ShareButton.tsx'
import { LOCATOR_PATH } from './search.ts'

export const handle = { ns: ['churches', 'church'] } satisfies RouteHandle

/** The next service is computed to the minute. */
export const headers = () => ({ 'valid-for': '60' })

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export async function loader({ params, context }: Route.LoaderArgs) {
  const visitor = visitorOf(context)
  const id = params.id.toLowerCase()
  // An invalid id is an address without a page, not a user error.
  if (!ID.test(id)) throw data(null, { status: 404 })
  const call = api(context)
  const { public_url: publicUrl, call_first_after_days: callFirstAfterDays } = await call(getSite)
  const { language, now } = visitor
  const locale = await localePage(call, id, { language, now, callFirstAfterDays, publicUrl })
  if (!locale) throw data(null, { status: 404 })
  return { ...locale, zone: locale.zone, ownZone: await profileZone(visitor) }
}

export default function LocalePage({ loaderData: locale }: Route.ComponentProps) {
  const zone = useOwnZone(locale.ownZone)
  const isOpen = locale.mode === 'exact'
  return (
    <Page>
      {isOpen && (
        <link
          rel="alternate"
          type="text/calendar"
          href={`/church-locator/${locale.id}/services.ics`}
          title={locale.name}
        />
      )}
      <div className={styles.screen}>
        <div className={styles.crumbs}>
          <Breadcrumbs />
        </div>
        {isOpen ? (
          <>
            <Head locale={locale} zone={zone} />
            <div className={styles.columns}>
              <div>
                <Services locale={locale} />
                <FirstVisit locale={locale} />
                <Photos photos={locale.photos} />
              </div>
              <div className={styles.aside}>
                <LocaleContacts locale={locale} />
                <AboutLocale locale={locale} />
              </div>
            </div>
          </>
        ) : (
          <>
            <Title locale={locale} />
            <Discreet locale={locale} />
          </>
        )}
      </div>
      {isOpen && <PrintCard locale={locale} />}
      {locale.structured && (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: locale.structured }} />
      )}
    </Page>
  )
}

type Data = Route.ComponentProps['loaderData']

function Title({ locale: { name, localName, place } }: { locale: Data }) {
  return (
    <>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p className={styles.place}>
        {localName && (
          <>
            <bdi>{localName}</bdi> ·{' '}
          </>
        )}
        {place}
      </p>
    </>
  )
}

/** What a visitor needs: when, where, how to get there. The map is an image, so that it needs no scripts. */
function Head({ locale, zone }: { locale: Data; zone: string | null }) {
  const t = useT('church')
  const c = useT('churches')
  const language = useLanguage()
  const { id, closed, next, point } = locale
  const map = `${LOCATOR_PATH}/${id}/map.svg?in=${language}`
  return (
    <section className={classes(styles.head, point && styles.withMap)} aria-label={t('visit_label')}>
      <div className={styles.text}>
        <Title locale={locale} />
        {closed && <Note kind="unknown" icon="warning" title={closed} />}
        {next && <NextService next={next} zone={zone} />}
        <Where locale={locale} />
      </div>
      {point && (
        <figure className={styles.map}>
          <picture>
            <source media="(max-width: 600px)" srcSet={`${map}&size=small`} width={360} height={220} />
            <img src={map} alt={t('map_alt', { name: locale.name })} width={560} height={340} />
          </picture>
          <figcaption>{c('map_source')}</figcaption>
        </figure>
      )}
    </section>
  )
}

function Where({ locale }: { locale: Data }) {
  const t = useT('church')
  const c = useT('churches')
  const { address, localAddress, directions, point, confirmed, phone } = locale
  const main = address || localAddress
  return (
    <>
      {!locale.hasBuilding && <p>{t('no_place')}</p>}
      {main && (
        <p className={styles.address}>
          <span className="visually-hidden">{c('address')}: </span>
          <b>
            <bdi>{main}</bdi>
          </b>
          {address && localAddress && (
            <span className={styles.localAddress}>
              <bdi>{localAddress}</bdi>
            </span>
          )}
        </p>
      )}
      <div className={styles.actions}>
        {directions && (
          <ButtonLink to={directions} look="primary" icon="pin" rel="noopener">
            {c('directions')}
          </ButtonLink>
        )}
        {phone && (
          <ButtonLink to={telOf(phone)} icon="phone" aria-label={c('call_name', { name: locale.name })}>
            {c('call')}
          </ButtonLink>
        )}
        {point && (
          <ButtonLink to={`geo:${point.lat},${point.lng}?q=${point.lat},${point.lng}`} className={styles.touch}>
            {t('open_in_app')}
          </ButtonLink>
        )}
        {main && <CopyButton text={[localAddress, address].filter(Boolean).join('\n')} />}
        <ShareButton title={locale.name} />
      </div>
      {confirmed && (
        <p className={confirmed.isUnsure ? styles.unsure : styles.confirmed}>
          <Icon name={confirmed.isUnsure ? 'unknown' : 'check'} /> {confirmed.text}
        </p>
      )}
    </>
  )
}

/** For a first visit. */
function FirstVisit({ locale: { id, name, point } }: { locale: Data }) {
  const t = useT('church')
  return (
    <section aria-labelledby="first" className={styles.first}>
      <h2 id="first">{t('first_visit')}</h2>
      <Surface>
        <p>{t('first_visit_text')}</p>
        <div className={styles.actions}>
          <ButtonLink to={`${LOCATOR_PATH}/${id}/write?kind=arrival`}>{t('coming')}</ButtonLink>
          <Button className="needs-script" icon="print" onClick={() => print()}>
            {t('print_card')}
          </Button>
        </div>
      </Surface>
      {point && (
        <p className={styles.more}>
          <Link to={`${LOCATOR_PATH}?near=${encodeURIComponent(name)}&lat=${point.lat}&lon=${point.lng}`}>
            {t('more_near')}
          </Link>
        </p>
      )}
    </section>
  )
}

/** A group that does not publish its address: how to reach it and nothing else. */
function Discreet({ locale }: { locale: Data }) {
  const t = useT('church')
  const c = useT('churches')
  return (
    <div className={styles.discreet}>
      <Surface isUnknown>
        <p>{c('group_text')}</p>
        {locale.languages && (
          <p>
            {c('languages')}: {locale.languages}
          </p>
        )}
        <ButtonLink to={`${LOCATOR_PATH}/${locale.id}/write`} look="primary">
          {c('group_ask')}
        </ButtonLink>
      </Surface>
      {locale.country && (
        <p className={styles.more}>
          <Link to={`${LOCATOR_PATH}?country=${locale.country.code}`}>
            {t('more_country', { country: locale.country.name })}
          </Link>
        </p>
      )}
    </div>
  )
}

function Photos({ photos }: Pick<Data, 'photos'>) {
  const t = useT('church')
  if (photos.length === 0) return null
  return (
    <section className={styles.photos} aria-label={t('photos')}>
      {photos.map(({ url, description }) => (
        <SmartImage key={url} src={url} alt={description} decoding="async" />
      ))}
    </section>
  )
}
