import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useT } from '#web/lib/i18n.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { Contact } from './Contact.tsx'
import { CopyButton } from './CopyButton.tsx'
import styles from './LocaleRow.module.css'
import { NextService } from './NextService.tsx'
import type { Row } from './row.server.ts'
import { LOCATOR_PATH } from './search.ts'

interface Props {
  row: Row
  /** Same number as on the map. */
  number: number
  zone: string | null
  isActive: boolean
  onActive: (id: string | null) => void
}

export function LocaleRow({ row, number, zone, isActive, onActive }: Props) {
  const isOpen = row.mode === 'exact'
  return (
    <li
      id={`church-${row.id}`}
      className={classes(styles.row, !isOpen && styles.discreet, isActive && styles.active)}
      onPointerEnter={() => onActive(row.id)}
      onPointerLeave={() => onActive(null)}
      onFocus={() => onActive(row.id)}
      onBlur={() => onActive(null)}
    >
      <div className={styles.head}>
        <h3>
          <span className={styles.number}>{number}</span>{' '}
          <Link to={`${LOCATOR_PATH}/${row.id}`}>
            <bdi>{row.name}</bdi>
          </Link>
        </h3>
        {row.distance && <span className={isOpen ? styles.distance : undefined}>{row.distance}</span>}
      </div>
      {isOpen ? <Published row={row} zone={zone} /> : <Discreet id={row.id} languages={row.languages} />}
    </li>
  )
}

function Published({ row, zone }: { row: Row; zone: string | null }) {
  const t = useT('churches')
  return (
    <>
      {row.closed && (
        <p className={styles.warning}>
          <Icon name="warning" /> {row.closed}
        </p>
      )}
      {row.isUnsure && (
        <p className={styles.unsure}>
          <Icon name="unknown" /> {t('call_first')}
        </p>
      )}
      {row.next && <NextService next={row.next} zone={zone} />}
      <ul className={styles.facts}>
        <Fact icon="pin" label={t('address')} isThere={row.address !== ''}>
          <bdi>{row.address}</bdi>
        </Fact>
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
        <Fact icon="speech" label={t('languages')} isThere={row.languages !== ''}>
          {row.languages}
        </Fact>
      </ul>
      <div className={styles.actions}>
        {row.directions && (
          <ButtonLink to={row.directions} isSmall rel="noopener" aria-label={t('directions_to', { name: row.name })}>
            {t('directions')}
          </ButtonLink>
        )}
        {row.address && <CopyButton text={row.address} />}
      </div>
    </>
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
        <ul className={styles.facts}>
          <Fact icon="speech" label={t('languages')} isThere>
            {languages}
          </Fact>
        </ul>
      )}
      <div className={styles.actions}>
        <ButtonLink to={`${LOCATOR_PATH}/${id}/write`} isSmall>
          {t('group_ask')}
        </ButtonLink>
      </div>
    </>
  )
}
