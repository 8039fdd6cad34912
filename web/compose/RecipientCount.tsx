import { Link } from 'react-router'
import type { ReachEstimate } from '#shared/delivery/estimate.ts'
import { mayPass } from '#shared/roles.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { useUser } from '#web/lib/root-data.ts'
import { useTranslateMessage } from '#web/lib/server-messages.ts'
import type { FormError } from '#web/lib/visitor.ts'
import { Button } from '#web/ui/Button.tsx'
import { Fold } from '#web/ui/Fold.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import type { Counted } from './estimate.ts'
import styles from './RecipientCount.module.css'

interface Props {
  counted: Counted | null
  /** A newer count is under way. */
  isBehind: boolean
  /** Why the recipients could not be counted. */
  error: FormError | undefined
}

/** How many recipients match, how many can be reached, and by name those who cannot. */
export function RecipientCount({ counted, isBehind, error }: Props) {
  const t = useT('compose')
  const translate = useTranslateMessage()
  return (
    <div className={styles.count}>
      <div role="status" aria-busy={isBehind} className={isBehind ? styles.behind : undefined}>
        {error ? (
          <p className={styles.none}>
            {t('count_failed')} {translate(Object.values(error.fields)[0] ?? error.error)}
          </p>
        ) : counted ? (
          <Numbers estimate={counted.estimate} />
        ) : (
          <p className={styles.none}>{t('count_none')}</p>
        )}
      </div>
      {/* With scripts the count follows by itself. */}
      <Button type="submit" name="intent" value="estimate" isSmall className={styles.again}>
        {t('count_again')}
      </Button>
    </div>
  )
}

function Numbers({ estimate }: { estimate: ReachEstimate }) {
  const t = useT('compose')
  const language = useLanguage()
  const n = (count: number) => formatNumber(language, count)
  const { chosen, people: reached, unreached, portal_only } = estimate
  if (chosen === 0) return <p className={styles.none}>{t('count_zero')}</p>
  return (
    <div className={styles.numbers}>
      <p className={styles.total}>
        <b>{n(chosen)}</b> {t('recipients', { count: chosen })}
      </p>
      <div>
        <p>{t('reachable', { count: reached, n: n(reached) })}</p>
        {unreached.total > 0 && (
          <Named label={t('unreachable', { count: unreached.total, n: n(unreached.total) })} {...unreached} isBad />
        )}
        {portal_only.total > 0 && (
          <Named label={t('portal_only', { count: portal_only.total, n: n(portal_only.total) })} {...portal_only} />
        )}
      </div>
    </div>
  )
}

/** Up to this many names are shown at once. */
const SHOWN = 3

interface NamedProps {
  label: string
  total: number
  people: ReachEstimate['unreached']['people']
  isBad?: boolean
}

function Named({ label, total, people: users, isBad }: NamedProps) {
  const t = useT('compose')
  const language = useLanguage()
  const more = users.slice(SHOWN)
  const unnamed = total - users.length
  return (
    <div className={isBad ? styles.bad : styles.note}>
      {isBad && <Icon name="critical" />} <b>{label}</b> <Names users={users.slice(0, SHOWN)} />
      {more.length > 0 && (
        <Fold look="link" summary={t('names_more', { count: total - SHOWN, n: formatNumber(language, total - SHOWN) })}>
          <Names users={more} />
          {unnamed > 0 && <p>{t('names_rest', { count: unnamed, n: formatNumber(language, unnamed) })}</p>}
        </Fold>
      )}
    </div>
  )
}

function Names({ users }: { users: NamedProps['people'] }) {
  const t = useT('compose')
  const mayOpen = mayPass('manageUsers', useUser()?.role ?? null)
  return users.map(({ id, name, email }, at) => (
    <span key={id}>
      {at > 0 && t('comma')}
      {mayOpen ? (
        <Link to={`/admin/users/${id}`} title={email} target="_blank">
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi>{name}</bdi>
      )}
    </span>
  ))
}
