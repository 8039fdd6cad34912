import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { telOf } from '#web/lib/tel.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { Contact } from './Contact.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './LocaleCard.module.css'
import { NextService } from './NextService.tsx'
import type { Row } from './row.server.ts'
import { LOCATOR_PATH } from './search.ts'

interface Props {
  row: Row
  /** Same number as on the map. */
  number: number
  zone: string | null
  /** Over the map: without what is on its page. */
  isBrief?: boolean
}

/** A church in brief: name, next service, address, and how to get there or call. */
export function LocaleCard({ row, number, zone, isBrief = false }: Props) {
  const isOpen = row.mode === 'exact'
  return (
    <>
      <div className={styles.head}>
        <h3>
          <span className={classes(styles.number, !isOpen && styles.area)}>{number}</span>{' '}
          <Link to={`${LOCATOR_PATH}/${row.id}`}>
            <bdi>{row.name}</bdi>
          </Link>
        </h3>
        {row.distance && <span className={isOpen ? styles.distance : undefined}>{row.distance}</span>}
      </div>
      {isOpen ? (
        <Published row={row} zone={zone} isBrief={isBrief} />
      ) : (
        <Discreet id={row.id} languages={row.languages} />
      )}
    </>
  )
}

function Published({ row, zone, isBrief }: { row: Row; zone: string | null; isBrief: boolean }) {
  const t = useT('churches')
  return (
    <>
      {row.closed && (
        <p className={styles.warning}>
          <Icon name="warning" /> {row.closed}
        </p>
      )}
      {row.next && <NextService next={row.next} zone={zone} />}
      {row.isUnsure && (
        <p className={styles.unsure}>
          <Icon name="unknown" /> {t('call_first')}
        </p>
      )}
      <p className={styles.address}>
        {row.address && (
          <>
            <span className="visually-hidden">{t('address')}: </span>
            <bdi>{row.address}</bdi>
          </>
        )}
        {row.address && row.languages && ' · '}
        {row.languages && (
          <>
            <span className="visually-hidden">{t('languages')}: </span>
            {row.languages}
          </>
        )}
      </p>
      <div className={styles.actions}>
        {row.directions && (
          <ButtonLink
            to={row.directions}
            isSmall
            icon="pin"
            rel="noopener"
            aria-label={t('directions_to', { name: row.name })}
          >
            {t('directions')}
          </ButtonLink>
        )}
        {row.phone && (
          <ButtonLink to={telOf(row.phone)} isSmall icon="phone" aria-label={t('call_name', { name: row.name })}>
            {t('call')}
          </ButtonLink>
        )}
        {row.address && !isBrief && <CopyButton text={row.address} />}
      </div>
      {!isBrief && <More row={row} />}
    </>
  )
}

/** What matters once a church is chosen. */
function More({ row }: { row: Row }) {
  const t = useT('churches')
  return (
    <details className={styles.more}>
      <summary aria-label={t('more_of', { name: row.name })}>{t('more')}</summary>
      <ul className={styles.facts}>
        <Fact icon="calendar" label={t('weekly')} isThere={row.weekly !== ''}>
          {row.weekly}
        </Fact>
        <Fact icon="person" label={t('people')} isThere={row.servants.length > 0}>
          <Servants servants={row.servants} />
        </Fact>
        <Fact icon="phone" label={t('phone')} isThere={Boolean(row.phone || row.email)}>
          {row.phone && <Contact value={row.phone} />}
          {row.phone && row.email && ' · '}
          {row.email && <Contact value={row.email} />}
        </Fact>
        <Fact icon="link" label={t('website')} isThere={Boolean(row.website || row.online)}>
          {row.website && (
            <a href={row.website} rel="noopener nofollow">
              {t('website')}
            </a>
          )}
          {row.website && row.online && ' · '}
          {row.online && (
            <a href={row.online} rel="noopener nofollow">
              {t('online_services')}
            </a>
          )}
        </Fact>
      </ul>
    </details>
  )
}

function Fact(props: { icon: IconName; label: string; isThere: boolean; children: ReactNode }) {
  if (!props.isThere) return null
  return (
    <li>
      <Icon name={props.icon} />
      <div>
        <span className="visually-hidden">{props.label}: </span>
        {props.children}
      </div>
    </li>
  )
}

function Servants({ servants }: Pick<Row, 'servants'>) {
  return servants.map(({ name, role, contact }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: entries may be equal, and their order never changes
    <span key={i}>
      {i > 0 && ' · '}
      {name ? (
        <>
          <bdi>{name}</bdi> ({role})
        </>
      ) : (
        role
      )}
      {contact && (
        <>
          {' · '}
          <Contact value={contact} />
        </>
      )}
    </span>
  ))
}

/** A group that does not publish its address is contacted by message. */
function Discreet({ id, languages }: { id: string; languages: string }) {
  const t = useT('churches')
  return (
    <>
      <p className={styles.text}>{t('group_text')}</p>
      {languages && (
        <p className={styles.address}>
          <span className="visually-hidden">{t('languages')}: </span>
          {languages}
        </p>
      )}
      <div className={styles.actions}>
        <ButtonLink to={`${LOCATOR_PATH}/${id}/write`} isSmall>
          {t('group_ask')}
        </ButtonLink>
      </div>
    </>
  )
}
