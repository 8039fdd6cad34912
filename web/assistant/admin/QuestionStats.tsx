import { ANSWER_STATUSES } from '#shared/assistant/answer.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useLanguage, useT } from '#web/lib/i18n.tsx'
import { Tiles } from '#web/ui/Tiles.tsx'
import type { Route } from './+types/QuestionsPage'
import styles from './Admin.module.css'

type LoadedStats = NonNullable<Route.ComponentProps['loaderData']['figures']>

/** Results of the answers of the last 30 days, and today's model usage. */
export function QuestionStats({ stats }: { stats: LoadedStats }) {
  const t = useT('assistantAdmin')
  const language = useLanguage()
  const n = (value: number) => formatNumber(language, value)
  const { asked, by_status, rated_up, rated_down, model_calls_today, tokens_today } = stats
  return (
    <div className={styles.figures}>
      <h2>{t('stats_title')}</h2>
      <Tiles
        label={t('stats_title')}
        tiles={[
          { key: 'asked', label: t('stat_questions'), value: n(asked) },
          ...ANSWER_STATUSES.map((status) => ({
            key: status,
            label: t(`answer_${status}`),
            value: n(by_status[status] ?? 0),
          })),
        ]}
      />
      <p className={styles.small}>
        {t('ratings', { up: n(rated_up), down: n(rated_down) })}{' '}
        {t('model_today', { count: model_calls_today, n: n(model_calls_today), tokens: n(tokens_today) })}
      </p>
    </div>
  )
}
