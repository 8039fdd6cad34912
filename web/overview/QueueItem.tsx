import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { CASES } from '#web/assistant/cases/paths.ts'
import { useZone } from '#web/lib/clock.ts'
import { formatClock, formatMoment, isolated } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { rollCallPath } from '#web/roll-calls/paths.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Form, Submit } from '#web/ui/Form.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Queue.module.css'
import { aboutOf, ageText, iconOf, pathOf, type ShownRow, titleOf, verbOf } from './queue-text.ts'

interface Props {
  row: ShownRow
  /** When the queue was read. */
  now: string
  /** The first row has the one filled button of the page. */
  isFirst: boolean
  isCoordinator: boolean
}

/** One row of the queue: what, who and where, since when, whose, and one thing to do. */
export function QueueItem({ row, now, isFirst, isCoordinator }: Props) {
  const t = useT('queue')
  const title = titleOf(t, row)
  const path = pathOf(row, isCoordinator)
  const look = isFirst ? 'primary' : 'secondary'
  return (
    <li className={classes(styles.row, row.is_danger && styles.danger)} data-kind={row.kind}>
      <Icon name={iconOf(row)} className={styles.icon} />
      <div className={styles.what}>
        <Link className={styles.link} to={path}>
          <strong>
            {row.is_danger && <span className="visually-hidden">{t('danger')} </span>}
            {title}
          </strong>
        </Link>
        <Details row={row} now={now} />
        {row.words && <span className={styles.words}>{t('words', { words: isolated(row.words) })}</span>}
      </div>
      <div className={styles.owner}>
        <Age row={row} now={now} />
        <Owner row={row} />
      </div>
      <div className={styles.action}>
        {row.may_take ? (
          <Take row={row} look={look} />
        ) : (
          <ButtonLink to={path} look={look}>
            {t(verbOf(row))}
            <span className="visually-hidden">: {title}</span>
          </ButtonLink>
        )}
      </div>
    </li>
  )
}

/** Reference, place and the time there, between dots. */
function Details({ row, now }: Pick<Props, 'row' | 'now'>) {
  const t = useT('queue')
  const language = useLanguage()
  const { place, time_zone, last_at, kind } = row
  const about = aboutOf(t, language, row)
  const isSource = kind === 'source' || kind === 'withheld' || kind === 'lower_levels'
  const parts: ReactNode[] = [
    about,
    !isSource && kind !== 'burst' && kind !== 'discretion' && place && <bdi>{place}</bdi>,
    !isSource && kind !== 'discretion' && time_zone && (
      <span className={styles.there}>{t('there', { time: formatClock(language, now, time_zone) })}</span>
    ),
    row.figures.messages !== undefined && last_at && t('last', { age: ageText(t, last_at, now) }),
  ].filter(Boolean)
  if (parts.length === 0) return null
  return (
    <span className={styles.about}>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have a fixed order
        <Fragment key={at}>
          {at > 0 && ' · '}
          {part}
        </Fragment>
      ))}
    </span>
  )
}

/** How long it has waited; red, with a diamond, from its limit on. */
function Age({ row: { since, is_late }, now }: Pick<Props, 'row' | 'now'>) {
  const t = useT('queue')
  const language = useLanguage()
  const zone = useZone()
  if (!since) return null
  return (
    <span className={is_late ? styles.late : undefined}>
      {is_late && (
        <>
          <span className={styles.diamond} aria-hidden="true">
            ◆
          </span>{' '}
          <span className="visually-hidden">{t('late')} </span>
        </>
      )}
      <time dateTime={since} title={formatMoment(language, since, zone)}>
        {ageText(t, since, now)}
      </time>
    </span>
  )
}

function Owner({ row: { owner_name, requested_name, is_mine } }: Pick<Props, 'row'>) {
  const t = useT('queue')
  if (owner_name !== null)
    return <span className={styles.muted}>{is_mine ? t('you') : <bdi>{owner_name || t('assigned')}</bdi>}</span>
  return (
    <span className={classes(styles.muted, styles.noOwner)}>
      {requested_name ? t('requested', { name: is_mine ? t('you') : isolated(requested_name) }) : t('no_owner')}
    </span>
  )
}

/** Posts to the page of the roll call or the case, which shows the result, or who was faster. */
function Take({
  row: { kind, id, user_id, name, about },
  look,
}: Pick<Props, 'row'> & { look: 'primary' | 'secondary' }) {
  const t = useT('queue')
  const isRollCall = kind === 'help'
  return (
    <Form action={isRollCall ? rollCallPath(id ?? '') : `${CASES}/${id}`} isGuarded={false}>
      <input type="hidden" name="intent" value={isRollCall ? 'take' : 'taken'} />
      {isRollCall && <input type="hidden" name="subject" value={user_id ?? ''} />}
      <Submit look={look}>
        {t('take')}
        <span className="visually-hidden">: {name ?? about}</span>
      </Submit>
    </Form>
  )
}
