import { useT } from '#web/lib/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { AskForm } from './AskForm.tsx'
import styles from './Starters.module.css'

const STARTERS = ['starter_work', 'starter_church', 'starter_pdos', 'starter_emergency'] as const

/** Shown before the first question: example questions, and what happens with questions. */
export function Starters() {
  const t = useT('assistant')
  return (
    <div className={styles.starters}>
      <p className={styles.text}>{t('begin_text')}</p>
      <h2 className={styles.heading}>{t('begin_examples')}</h2>
      <AskForm>
        <ul className={styles.list}>
          {STARTERS.map((key) => (
            <li key={key}>
              <Button type="submit" name="question" value={t(key)} className={styles.starter}>
                {t(key)}
              </Button>
            </li>
          ))}
        </ul>
      </AskForm>
    </div>
  )
}
