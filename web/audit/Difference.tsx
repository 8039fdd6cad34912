import { useT } from '#web/lib/i18n.tsx'
import styles from './Audit.module.css'
import { differenceOf, NOTHING } from './difference.ts'

/** What changed, field by field: before, then after. */
export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const t = useT('users')
  const fields = differenceOf(before, after)
  if (fields.length === 0) return null
  return (
    <dl className={styles.difference}>
      {fields.map((changed) => (
        <div key={changed.field}>
          <dt>
            <bdi dir="ltr">{changed.field}</bdi>
          </dt>
          <dd>
            {changed.before !== null && changed.before !== NOTHING && (
              <del>
                <span className="visually-hidden">{t('was')} </span>
                <bdi>{changed.before}</bdi>
              </del>
            )}{' '}
            {changed.after !== null && (
              <ins>
                <span className="visually-hidden">{t('is')} </span>
                <bdi>{changed.after}</bdi>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
