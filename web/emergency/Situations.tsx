import { GENERAL_NUMBER } from '#shared/emergency/address.ts'
import type { Situation, SituationHelp } from '#shared/emergency/endpoints.ts'
import { formatDay } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { CallRow, OlderNumbers } from './CallRow.tsx'
import styles from './Situations.module.css'

const ICONS: Record<Situation, IconName> = {
  hurt: 'shield',
  ill: 'medical',
  arrested: 'bars',
  passport: 'passport',
  disaster: 'storm',
  alone: 'heart',
}

/** Situations in which the general number reaches help if no number of the country is confirmed. */
const GENERAL_HELPS: readonly Situation[] = ['hurt', 'ill', 'disaster']

/** Six plain situations: what to do, the source, and one number. */
export function Situations({ situations }: { situations: readonly SituationHelp[] }) {
  const t = useT('emergency')
  return (
    <section aria-labelledby="situations">
      <h2 id="situations">{t('situations')}</h2>
      <div className={styles.situations}>
        {situations.map((help) => (
          <SituationDetails key={help.situation} help={help} />
        ))}
      </div>
    </section>
  )
}

function SituationDetails({ help: { situation, steps, number, older } }: { help: SituationHelp }) {
  const t = useT('emergency')
  return (
    <details className={styles.situation} id={situation}>
      <summary>
        <span className={styles.sign}>
          <Icon name={ICONS[situation]} />
        </span>
        <h3>{t(`situation_${situation}`)}</h3>
        <Icon name="chevron" className={styles.chevron} />
      </summary>
      {steps.length > 0 && (
        <ol className={styles.steps}>
          {steps.map((step) => (
            <Step key={step.text.en} step={step} />
          ))}
        </ol>
      )}
      {number ? (
        <CallRow phone={number.phone} label={number.name ? <bdi>{number.name}</bdi> : t(`number_${number.code}`)} />
      ) : GENERAL_HELPS.includes(situation) ? (
        <CallRow phone={GENERAL_NUMBER} label={t('general')} />
      ) : (
        <p className={styles.none}>{t('missing_number')}</p>
      )}
      <OlderNumbers numbers={older} />
    </details>
  )
}

function Step({ step: { text, source } }: { step: SituationHelp['steps'][number] }) {
  const t = useT('emergency')
  const language = useLanguage()
  const mark = source.mark[language]
  const label = t('by_mark', { mark, name: source.name, date: formatDay(language, source.checked_on) })
  return (
    <li>
      {text[language]}{' '}
      <a href={source.url} rel="noreferrer" className={styles.mark} title={label} aria-label={label}>
        {mark}
      </a>
    </li>
  )
}
