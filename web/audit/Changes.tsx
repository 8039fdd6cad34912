import { useT } from '#web/lib/i18n.tsx'
import { Time } from '#web/ui/Time.tsx'
import styles from './Audit.module.css'
import type { ShownChange, ShownValue } from './values.ts'

/** What changed, field by field: before and after. */
export function Changes({ changes }: { changes: readonly ShownChange[] }) {
  const t = useT('users')
  if (changes.length === 0) return null
  const wasSomething = changes.some(({ before }) => before !== null)
  return (
    <div className={styles.scroll}>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            {wasSomething && <th scope="col">{t('before')}</th>}
            <th scope="col">{t('after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              {wasSomething && <td>{before && <Value value={before} />}</td>}
              <td>{after && <Value value={after} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value({ value }: { value: ShownValue }) {
  if ('at' in value) return <Time value={value.at} />
  if ('day' in value) return <Time value={value.day} precision="day" />
  return <bdi>{value.text}</bdi>
}
